# expect: ASC106 safe scope=nearest


def nearest(distances: list[float]):
    best, where = float("inf"), -1
    for i, d in enumerate(distances):
        if d < best:
            best, where = d, i
    return where, best


def cases(rng):
    inf = float("inf")
    for values in ([], [inf, inf], [3.0, 1.0, 1.0], [inf, 2.0]):
        yield "nearest", (values,), {}
