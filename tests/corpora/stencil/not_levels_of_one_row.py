# refuse: the row before the first one is the last, which may be the row that is written


def sweep(u, steps):
    for n in range(-1, steps - 1):
        for i in range(1, u.shape[1] - 1):
            u[n + 1, i] = u[n, i] + 0.1 * (u[n, i + 1] - u[n, i - 1])
    return u


def cases(rng):
    yield "sweep", (rng.standard_normal((1, 7)), 1), {}
    yield "sweep", (rng.standard_normal((3, 7)), 3), {}
