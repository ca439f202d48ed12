# expect: ASC105 safe scope=f
def f(xs: list[float], k: int):
    out = [0] * (k + 1)
    for i in range(k):
        out[i + 1] = out[i] + xs[i]
    return out


def cases(rng):
    for steps in (-2, -1, 0, 9):
        yield "f", (list(rng.normal(size=9)), steps), {}
