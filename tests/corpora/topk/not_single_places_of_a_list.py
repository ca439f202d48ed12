# refuse: ASC110 more of the order is read, or there may be no place at all
def last_as_well(xs: list[int]):
    ys = sorted(xs)
    return ys[1], ys[-1]


def median(a: float, b: float, c: float):
    return sorted([a, b, c])[1]


def kth(xs: list[int], k: int):
    return sorted(xs)[k - 1]


def length_as_well(xs: list[int]):
    ys = sorted(xs)
    return ys[1], len(ys)


def all_of_them(xs: list[int]):
    ys = sorted(xs)
    return ys[1], sum(ys)


def far(xs: list[int]):
    return sorted(xs)[11]


def cases(rng):
    for size in (12, 20):
        xs = [int(x) for x in rng.integers(0, 50, size)]
        for name in ("last_as_well", "length_as_well", "all_of_them", "far"):
            yield name, (list(xs),), {}
        for k in (0, 1, 3):
            yield "kth", (list(xs), k), {}
        yield "median", (1.0, float(xs[0]), float(xs[1])), {}
