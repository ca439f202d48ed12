# refuse: iterates over a set: the order of a floating-point sum is not ours to say
def sum_unique(values: list[float]) -> float:
    total = 0.0
    for v in set(values):
        total += v
    return total


def cases(rng):
    yield "sum_unique", ([0.5, 0.25, 0.5, 8.0],), {}
