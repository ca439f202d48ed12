# expect: LOC306 safe scope=scaled
# expect: LOC306 safe scope=mirrored
# expect: LOC306 safe scope=added
# expect: LOC306 safe scope=turned
# expect: LOC306 safe scope=transposed
# expect: LOC306 safe scope=rotated
# expect: LOC306 safe scope=inner
import numpy as np


def scaled(x: np.ndarray):
    (w,) = x.shape
    out = np.zeros_like(x)
    for j in range(w):
        out[w - 1 - j] = 2 * x[j] + 1
    return out


def mirrored(image: np.ndarray):
    h, w = image.shape
    out = np.zeros((h, w))
    for i in range(h):
        for j in range(w):
            out[i, w - 1 - j] = image[i, j]
    return out


def added(image: np.ndarray, out: np.ndarray):
    h, w = image.shape
    h, w = out.shape
    for i in range(h):
        for j in range(w):
            out[h - 1 - i, j] += np.exp(image[i, j])
    return out


def turned(image: np.ndarray):
    h, w = image.shape
    out = np.zeros((h, w))
    for i in range(h):
        for j in range(w):
            out[i, j] = image[h - 1 - i, w - 1 - j]
    return out


def transposed(a: np.ndarray):
    n, m = a.shape
    t = np.zeros((m, n))
    for i in range(n):
        for j in range(m):
            t[j, i] = a[i, j]
    return t


def rotated(a: np.ndarray):
    n, m = a.shape
    t = np.zeros((m, n))
    for i in range(n):
        for j in range(m):
            t[j, n - 1 - i] = a[i, j]
    return t


def inner(x: np.ndarray):
    (n,) = x.shape
    out = np.zeros(n)
    for j in range(1, n - 1):
        out[n - 1 - j] = np.sqrt(abs(x[j]))
    return out


def cases(rng):
    for n, m in ((5, 3), (1, 2), (2, 1)):
        for name in ("scaled", "inner"):
            yield name, (rng.random(n),), {}
        for name in ("mirrored", "turned", "transposed", "rotated"):
            yield name, (rng.random((n, m)),), {}
        yield "added", (rng.random((n, m)), rng.random((n, m))), {}
