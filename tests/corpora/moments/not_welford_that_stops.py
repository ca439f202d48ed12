# refuse: ASC108 the loop stops where the spread is large


def stats(x: list[float]):
    n, mean, m2 = 0, 0.0, 0.0
    for v in x:
        n += 1
        d = v - mean
        mean += d / n
        m2 += d * (v - mean)
        if m2 > 10.0:
            break
    return mean, m2


def cases(rng):
    yield "stats", ([1.0, 2.0, 9.0, 1.0],), {}
