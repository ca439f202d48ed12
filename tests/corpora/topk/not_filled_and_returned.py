# refuse: ASC110 the whole order is returned beside its first places
def nearest(xs: list[float], q: float, k: int):
    gaps = []
    for x in xs:
        gaps.append((abs(x - q), x))
    gaps.sort()
    return gaps[:k], gaps


def cases(rng):
    for n, k in ((1, 1), (8, 3)):
        yield "nearest", ([float(v) for v in rng.normal(size=n)], 0.5, k), {}
