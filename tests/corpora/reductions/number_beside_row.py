# may: ASC106 safe|advice scope=whole_products
# may: LOC301 safe|advice scope=whole_products
import numpy as np


def whole_products(a, b):
    n = a.shape[0]
    c = np.zeros((n, n), dtype=int)
    for i in range(n):
        for j in range(n):
            total = 0.0
            for k in range(n):
                total += a[i, k] * b[k, j]
            c[i, j] = total
    return c


def cases(rng):
    yield "whole_products", (rng.random((5, 5)) * 9, rng.random((5, 5)) * 9), {}
    yield "whole_products", (rng.random((1, 1)) * 9, rng.random((1, 1)) * 9), {}
