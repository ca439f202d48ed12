# expect: ASC105 safe scope=f
def f(xs: list[float]):
    n = len(xs)
    out = [0.0] * n
    out[0] = xs[0]
    for i in range(1, n):
        out[i] = out[i - 1] + xs[i]
    return out


def cases(rng):
    yield "f", (list(rng.normal(size=9)),), {}
    yield "f", ([1.0],), {}
