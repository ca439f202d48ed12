# refuse: the list may be longer than the loop
def f(xs: list[float], n: int):
    out = [0.0] * n
    acc = 0.0
    for i, x in enumerate(xs):
        acc += x
        out[i] = acc
    return out


def cases(rng):
    yield "f", (list(rng.normal(size=9)), 12), {}
