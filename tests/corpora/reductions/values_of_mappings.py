# expect: ASC106 safe scope=total
# expect: ASC106 safe scope=looked_up
# expect: ASC106 safe scope=largest
# expect: ASC106 safe scope=likelihood
def total(losses):
    weight = 0
    for name, loss in losses.items():
        weight += loss
    return weight


def looked_up(shares: dict[str, float]):
    total = 0.0
    for name in shares:
        total += shares[name]
    return total


def largest(scores: dict[str, float]):
    best = -1.0
    for name, score in scores.items():
        best = max(best, score)
    return best


def likelihood(chances):
    product = 1
    for _, chance in chances.items():
        product *= chance
    return product


def cases(rng):
    for given in ({}, {"a": 0.5}, {"a": 0.5, "b": 3.0, "c": 0.25}):
        for name in ("total", "looked_up", "largest", "likelihood"):
            yield name, (given,), {}
    yield "total", ({"a": 1, "b": True},), {}
