# refuse: the first value is not the element, may be given, or is read afterwards
"""Loops that begin with None and are no running values of their elements alone."""


def doubled(xs: list[int]):
    total = None
    out = []
    for x in xs:
        total = 2 * x if total is None else total + x
        out.append(total)
    return out


def given(xs: list[int], total=None):
    out = []
    for x in xs:
        total = x if total is None else total + x
        out.append(total)
    return out


def and_last(xs: list[int]):
    total = None
    out = []
    for x in xs:
        total = x if total is None else total + x
        out.append(total)
    return out, total


def every_third(xs: list[int]):
    total = None
    out = []
    for i, x in enumerate(xs):
        if i % 3 == 0:
            total = None
        total = x if total is None else total + x
        out.append(total)
    return out


def cases(rng):
    for n in (0, 1, 7):
        xs = [int(v) for v in rng.integers(-5, 6, size=n)]
        for name in ("doubled", "given", "and_last", "every_third"):
            yield name, (xs,), {}
        yield "given", (xs, 3), {}
