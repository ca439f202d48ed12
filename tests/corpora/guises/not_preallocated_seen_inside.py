# refuse: a function within reads the list while it is filled
def f(xs: list[float]):
    out = [0.0] * len(xs)

    def seen():
        return len(out)

    acc = 0.0
    for i, x in enumerate(xs):
        acc += x * seen()
        out[i] = acc
    return out


def cases(rng):
    yield "f", ([1.0, 0.0, 2.0],), {}
