# refuse: one of two names is of an array that is read


def step(U, V, c):
    n = U.shape[0]
    Un, Vn = U.copy(), U
    for i in range(1, n - 1):
        for j in range(1, n - 1):
            Un[i, j] = c * (V[i - 1, j] + V[i + 1, j])
            Vn[i, j] = c * (U[i, j - 1] + U[i, j + 1])
    return Un, Vn


def cases(rng):
    yield "step", (rng.random((8, 8)), rng.random((8, 8)), 0.16), {}
