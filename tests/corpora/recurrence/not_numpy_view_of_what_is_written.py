# refuse: ASC101 what is read is written through a view


def f(x, a):
    y = x[1:]
    for i in range(1, len(y)):
        y[i] = a * y[i - 1] + x[i]
    return x


def cases(rng):
    yield "f", (rng.standard_normal(60), 0.9), {}
