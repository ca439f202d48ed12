# refuse: each sum is cut to a whole number, or another step has a part in it
import numpy as np


def cut(x: np.ndarray):
    n, d = x.shape
    out = np.zeros(n, dtype=int)
    for i in range(n):
        for k in range(d):
            out[i] += int(abs(x[i, k]))
    return out


def given(x: np.ndarray, out: np.ndarray):
    n, d = x.shape
    (n,) = out.shape
    for i in range(n):
        for k in range(d):
            out[i] += abs(x[i, k])
    return out


def of_the_sum_so_far(x: np.ndarray):
    n, d = x.shape
    out = np.zeros(n)
    for i in range(n):
        for k in range(d):
            out[i] += abs(x[i, k] - out[i])
    return out


def cases(rng):
    for n, d in ((5, 3), (1, 1)):
        x = 9 * rng.normal(size=(n, d))
        yield "cut", (x,), {}
        yield "given", (np.abs(x), np.zeros(n)), {}
        yield "given", (rng.integers(-9, 9, size=(n, d)), np.zeros(n, dtype=int)), {}
        yield "of_the_sum_so_far", (x,), {}
