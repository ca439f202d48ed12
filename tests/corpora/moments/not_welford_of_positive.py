# refuse: ASC108 samples that are not positive are counted though not averaged


def stats(x: list[float]):
    n, mean, m2 = 0, 0.0, 0.0
    for v in x:
        n += 1
        if v > 0:
            d = v - mean
            mean += d / n
            m2 += d * (v - mean)
    return mean, m2


def cases(rng):
    yield "stats", ([1.0, -2.0, 9.0, 1.0],), {}
