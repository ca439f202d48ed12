# refuse: ASC108 the squares are of the deviations from the old mean alone


def stats(x: list[float]):
    n, mean, m2 = 0, 0.0, 0.0
    for v in x:
        n += 1
        d = v - mean
        mean += d / n
        m2 += d * d
    return mean, m2


def cases(rng):
    yield "stats", ([1.0, 2.0, 4.0],), {}
