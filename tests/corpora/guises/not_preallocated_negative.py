# refuse: of fewer than no steps the list has no first item
def f(xs: list[float], k: int):
    out = [0] * (k + 1)
    for i in range(k):
        out[i + 1] = out[i] + xs[i]
    return out


def cases(rng):
    yield "f", (list(rng.normal(size=9)), -1), {}
