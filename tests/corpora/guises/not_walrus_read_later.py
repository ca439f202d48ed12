# refuse: the walrus is a running total, of which the last is read
def f(xs: list[float]):
    total = 0.0
    m = max((total := total + x) for x in xs)
    return m, total * 2


def cases(rng):
    yield "f", (list(rng.normal(size=9)),), {}
