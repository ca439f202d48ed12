# refuse: the sum is squashed at every step

import numpy as np


def tanh_in(A, B):
    n, k = A.shape
    m = B.shape[1]
    C = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            for p in range(k):
                C[i, j] = np.tanh(C[i, j] + A[i, p] * B[p, j])
    return C


def cases(rng):
    yield "tanh_in", (rng.random((5, 3)), rng.random((3, 4))), {}
    yield "tanh_in", (rng.random((1, 2)), rng.random((2, 1))), {}
