# refuse: the first of two complex vectors is conjugated
import numpy as np


def gram(rows):
    n = len(rows)
    table = np.zeros((n, n), dtype=complex)
    for i in range(n):
        for j in range(n):
            table[i, j] = np.vdot(rows[i], rows[j])
    return table


def cases(rng):
    yield "gram", (np.array([[1, 1j], [2, 3]]),), {}
