# expect: ASC105 safe scope=f
def f(xs: list[float]):
    out = [None for _ in range(len(xs))]
    best = float("-inf")
    for i, x in enumerate(xs):
        best = max(best, x)
        out[i] = best
    return out


def cases(rng):
    yield "f", (list(rng.normal(size=9)),), {}
    yield "f", ([],), {}
