# refuse: SYM601 the divergence is not the same both ways

import math

import numpy as np


def divergence(p, q):
    return p[0] * math.log(p[0] / q[0]) + p[1] * math.log(p[1] / q[1])


def table(shares: np.ndarray):
    n = shares.shape[0]
    out = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            out[i, j] = divergence(shares[i], shares[j])
    return out


def cases(rng):
    yield "table", (rng.random((4, 2)) + 0.1,), {}
