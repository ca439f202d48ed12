# expect: RED505 safe scope=nearest
# expect: RED505 safe scope=raised
# expect: RED505 safe scope=extent


def nearest(xs: list[float], q: float):
    gaps = []
    for x in xs:
        gaps.append((abs(x - q), x))
    gaps.sort()
    return gaps[0][1]


def raised(rows: list[list[int]]):
    own = [row for row in rows if row]
    own.sort()
    own[0][0] = 99
    return own[0]


def extent(xs: list[int]):
    even = []
    for x in xs:
        if x % 2 == 0:
            even.append(x)
    even.sort()
    low = even[0]
    high = even[-1]
    return high - low


def cases(rng):
    for n in (1, 2, 9):
        yield "nearest", ([float(v) for v in rng.normal(size=n)], 0.5), {}
        rows = [[int(v) for v in rng.integers(0, 9, 1 + i % 3)] for i in range(n)]
        yield "raised", (rows,), {}
        yield "extent", ([2, *(int(v) for v in rng.integers(0, 9, n))],), {}
