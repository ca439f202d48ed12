# refuse: ASC108 the count goes on from an earlier one


def stats(x: list[float], n: int, mean: float, m2: float):
    for v in x:
        n += 1
        d = v - mean
        mean += d / n
        m2 += d * (v - mean)
    return n, mean, m2


def cases(rng):
    yield "stats", ([1.0, 2.0, 9.0, 1.0], 2, 3.0, 1.0), {}
