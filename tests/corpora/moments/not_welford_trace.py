# refuse: ASC108 the spread so far is kept at every step


def stats(x: list[float]):
    n, mean, m2 = 0, 0.0, 0.0
    trace = []
    for v in x:
        n += 1
        d = v - mean
        mean += d / n
        m2 += d * (v - mean)
        trace.append(m2 / n)
    return trace


def cases(rng):
    yield "stats", ([1.0, 2.0, 9.0, 1.0],), {}
