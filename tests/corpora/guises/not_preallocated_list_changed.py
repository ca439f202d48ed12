# refuse: the list that says how long it is gets shorter
def f(xs: list[float]):
    n = len(xs)
    xs.pop()
    out = [0.0] * n
    acc = 0.0
    for i, x in enumerate(xs):
        acc += x
        out[i] = acc
    return out


def cases(rng):
    yield "f", (list(rng.normal(size=9)),), {}
