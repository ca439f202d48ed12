# expect: LOC302 safe scope=gray_scott


def gray_scott(U, V, F, k, Du, Dv):
    n = U.shape[0]
    Un, Vn = U.copy(), V.copy()
    for i in range(1, n - 1):
        for j in range(1, n - 1):
            Lu = U[i - 1, j] + U[i + 1, j] + U[i, j - 1] + U[i, j + 1] - 4 * U[i, j]
            Lv = V[i - 1, j] + V[i + 1, j] + V[i, j - 1] + V[i, j + 1] - 4 * V[i, j]
            uvv = U[i, j] * V[i, j] * V[i, j]
            Un[i, j] = U[i, j] + Du * Lu - uvv + F * (1 - U[i, j])
            Vn[i, j] = V[i, j] + Dv * Lv + uvv - (F + k) * V[i, j]
    return Un, Vn


def cases(rng):
    yield "gray_scott", (rng.random((8, 8)), rng.random((8, 8)), 0.04, 0.06, 0.16, 0.08), {}
