# refuse: SYM602 rows are overwritten while they are still read


def squared(A):
    n = A.shape[0]
    for i in range(n):
        for j in range(i, n):
            s = 0.0
            for k in range(n):
                s += A[i, k] * A[j, k]
            A[i, j] = s
            A[j, i] = s
    return A


def cases(rng):
    yield "squared", (rng.random((4, 4)),), {}
    yield "squared", (rng.random((1, 1)),), {}
