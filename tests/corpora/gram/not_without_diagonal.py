# refuse: SYM602 the diagonal keeps what it held


def coupling(A, G):
    n, d = A.shape
    for i in range(n):
        for j in range(i + 1, n):
            value = A[i] @ A[j]
            G[i, j] = value
            G[j, i] = value
    return G


def cases(rng):
    yield "coupling", (rng.random((4, 3)), rng.random((4, 4))), {}
    yield "coupling", (rng.random((1, 3)), rng.random((1, 1))), {}
