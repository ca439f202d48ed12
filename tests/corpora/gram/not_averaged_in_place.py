# refuse: SYM602 each cell is averaged with one that was averaged before

import numpy as np


def symmetrize(G: np.ndarray, A: np.ndarray):
    n, d = A.shape
    for i in range(n):
        for j in range(n):
            G[i, j] = (G[i, j] + G[j, i]) / 2 + A[i] @ A[j]
    return G


def cases(rng):
    yield "symmetrize", (rng.random((4, 4)), rng.random((4, 3))), {}
    yield "symmetrize", (rng.random((1, 1)), rng.random((1, 3))), {}
