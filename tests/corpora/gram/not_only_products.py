# refuse: more than the products is written at every step
import numpy as np


def mirrored(a: np.ndarray, b: np.ndarray, w: np.ndarray):
    n, m = a.shape
    n, m = b.shape
    out = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            out[i, j] = a[i] @ b[j]
            out[j, i] = out[i, j]
    return out @ w


def by_a_call(a: np.ndarray, b: np.ndarray, w: np.ndarray):
    n, m = a.shape
    n, m = b.shape
    out = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            out[i, j] = a[i] @ b[j]
            raise_all(out)
    return out @ w


def raise_all(x):
    x += 1


def by_another_name(a: np.ndarray, w: np.ndarray):
    n, m = a.shape
    out = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            out[i, j] = (a[i] * a[j]).sum()
            row = out[i]
            row[0] = 5.0
    return out @ w


def everywhere(a: np.ndarray):
    n, m = a.shape
    out = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            out += 1
            out[i, j] += (a[i] * a[j]).sum()
    return out


def along_a_column(a: np.ndarray, b: np.ndarray):
    n, m = a.shape
    n, m = b.shape
    out = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            out[:, j] = 1.0
            out[i, j] = ((a[i] - b[j]) ** 2).sum()
    return out


def cases(rng):
    for n in (4, 1):
        a, b, w = rng.random((n, 3)), rng.random((n, 3)), rng.random(n)
        yield "mirrored", (a, b, w), {}
        yield "by_a_call", (a, b, w), {}
        yield "by_another_name", (a, w), {}
        yield "everywhere", (a,), {}
        yield "along_a_column", (a, b), {}
