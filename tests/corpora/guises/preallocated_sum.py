# expect: ASC105 safe scope=f
def f(xs: list[float]):
    n = len(xs)
    out = [0.0] * n
    acc = 0.0
    for i in range(n):
        acc += xs[i]
        out[i] = acc
    return out


def cases(rng):
    yield "f", (list(rng.normal(size=9)),), {}
    yield "f", ([],), {}
    yield "f", ([1.0],), {}
