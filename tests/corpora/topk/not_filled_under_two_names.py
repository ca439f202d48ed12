# refuse: ASC110 the caller's list of lists holds the list, and sees it in order
def nearest(xs: list[float], q: float, k: int, kept: list):
    gaps = []
    kept.append(gaps)
    for x in xs:
        gaps.append((abs(x - q), x))
    gaps.sort()
    return gaps[:k]


def cases(rng):
    for n, k in ((1, 1), (8, 3)):
        yield "nearest", ([float(v) for v in rng.normal(size=n)], 0.5, k, []), {}
