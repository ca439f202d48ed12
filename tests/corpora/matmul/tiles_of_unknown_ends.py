# expect: LOC301 advice scope=blocked
import numpy as np


def blocked(A, B, size=32):
    """Nothing says that the matrices are square, and their last tiles alike."""
    n = A.shape[0]
    C = np.zeros((n, n))
    for i in range(0, n, size):
        for j in range(0, n, size):
            for k in range(0, n, size):
                C[i : i + size, j : j + size] += (
                    A[i : i + size, k : k + size] @ B[k : k + size, j : j + size]
                )
    return C


def cases(rng):
    for n in (7, 3, 1):
        yield "blocked", (rng.normal(size=(n, n)), rng.normal(size=(n, n)), 3), {}
