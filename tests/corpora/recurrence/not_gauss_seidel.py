# refuse: each unknown uses all unknowns updated before it in the same sweep
import numpy as np


def gauss_seidel(A, b, x0, sweeps=5):
    x = x0.copy()
    n = len(b)
    for _ in range(sweeps):
        for i in range(n):
            rest = A[i, :] @ x - A[i, i] * x[i]
            x[i] = (b[i] - rest) / A[i, i]
    return x


def cases(rng):
    n = 6
    A = rng.standard_normal((n, n)) + n * np.eye(n)
    yield "gauss_seidel", (A, rng.standard_normal(n), np.zeros(n)), {}
