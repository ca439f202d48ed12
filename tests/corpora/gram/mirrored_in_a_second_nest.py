# expect: SYM602 safe scope=inner_products

import numpy as np


def inner_products(rows: np.ndarray):
    n, width = rows.shape
    product = np.zeros((n, n))
    for i in range(n):
        for j in range(i, n):
            product[i, j] = rows[i] @ rows[j]
    for i in range(n):
        for j in range(i):
            product[i, j] = product[j, i]
    return product


def cases(rng):
    for shape in ((5, 3), (1, 4), (7, 1)):
        yield "inner_products", (rng.random(shape),), {}
