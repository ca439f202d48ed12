# refuse: a name for the array itself


def gray_scott(U, V, Du, Dv):
    n = U.shape[0]
    Un, Vn = U, V
    for i in range(1, n - 1):
        for j in range(1, n - 1):
            Un[i, j] = U[i, j] + Du * (
                U[i - 1, j] + U[i + 1, j] + U[i, j - 1] + U[i, j + 1] - 4 * U[i, j]
            )
            Vn[i, j] = V[i, j] + Dv * (
                V[i - 1, j] + V[i + 1, j] + V[i, j - 1] + V[i, j + 1] - 4 * V[i, j]
            )
    return Un, Vn


def cases(rng):
    yield "gray_scott", (rng.random((8, 8)), rng.random((8, 8)), 0.16, 0.08), {}
