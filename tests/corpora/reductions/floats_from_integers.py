# expect: ASC106 safe scope=product_of_places
# expect: ASC106 safe scope=logged
# expect: ASC106 safe scope=row_means
# expect: LOC305 safe scope=pairs
# expect: LOC301 safe scope=matrix
# expect: ASC114 safe scope=power
# expect: ASC108 safe scope=running
import numpy as np


def product_of_places(n: int):
    p = 1.0
    for v in np.arange(1, n):
        p *= v
    return p


def logged(n: int):
    p = 1.0
    for v in np.arange(1, n):
        p = p * (1 + v)
    return np.log(p)


def row_means(a: np.ndarray):
    out = np.zeros(a.shape[0])
    for i in range(a.shape[0]):
        s = 0.0
        for j in range(a.shape[1]):
            s += a[i, j]
        out[i] = s / a.shape[1]
    return out


def pairs(a: np.ndarray, b: np.ndarray):
    s = 0.0
    for i in range(len(a)):
        for j in range(len(b)):
            s += a[i] + b[j]
    return s


def matrix(a: np.ndarray, b: np.ndarray):
    c = np.zeros((a.shape[0], b.shape[1]))
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            s = 0.0
            for k in range(a.shape[1]):
                s += a[i, k] * b[k, j]
            c[i, j] = s
    return c


def power(x: int, n: int):
    r = 1.0
    for _ in range(n):
        r *= x
    return r


def running(xs: list[float]):
    n = 0
    mean = 0.0
    spread = 0.0
    for x in xs:
        n += 1
        before = mean
        mean = mean + (x - mean) / n
        spread = spread + (x - mean) * (x - before)
    return mean, spread / n


def cases(rng):
    large = 2**62 + rng.integers(0, 9, 7)
    yield "product_of_places", (31,), {}
    yield "logged", (40,), {}
    yield "row_means", (large[:1].reshape(1, 1),), {}
    yield "pairs", (large // 2, np.arange(5)), {}
    yield "matrix", (np.arange(14).reshape(2, 7), np.ones((7, 2), dtype=int)), {}
    yield "power", (3, 11), {}
    yield "running", ([0.5, 1.5, 4.0],), {}
    yield "running", ([1e200, -1e200],), {}
