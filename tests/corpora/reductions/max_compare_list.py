# expect: ASC106 safe scope=largest
def largest(values: list[float]) -> float:
    best = values[0]
    for v in values[1:]:
        if v > best:
            best = v
    return best


def cases(rng):
    for n in (1, 2, 30):
        yield "largest", (rng.standard_normal(n).tolist(),), {}
    yield "largest", ([3, 1, 3.0, 2],), {}
