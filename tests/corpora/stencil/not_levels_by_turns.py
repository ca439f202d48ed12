# refuse: one neighbour is read from the row that is written


def sweep(u, steps):
    for n in range(steps - 1):
        for i in range(1, u.shape[1] - 1):
            u[n + 1, i] = u[n, i] + 0.1 * (u[n, i + 1] - u[n + 1, i - 1])
    return u


def cases(rng):
    yield "sweep", (rng.standard_normal((4, 7)), 4), {}
