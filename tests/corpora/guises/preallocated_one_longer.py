# expect: ASC105 safe scope=f
def f(xs: list[float]):
    n = len(xs)
    out = [0.0] * (n + 1)
    for i in range(n):
        out[i + 1] = out[i] + xs[i]
    return out


def cases(rng):
    yield "f", (list(rng.normal(size=9)),), {}
    yield "f", ([],), {}
