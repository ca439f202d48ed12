# refuse: each term contains the total so far, squared
def cascade(gains: list[float]) -> float:
    total = 0.1
    for g in gains:
        total += g * total * total
    return total


def cases(rng):
    yield "cascade", ((0.1 * rng.random(10)).tolist(),), {}
