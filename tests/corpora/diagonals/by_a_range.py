# expect: SPA402 safe scope=placed
# expect: SPA401 safe scope=one_hot
# expect: RED509 safe scope=trace
import numpy as np


def placed(x: np.ndarray, v: np.ndarray):
    n, m = x.shape
    (m,) = v.shape
    d = np.zeros((m, m))
    d[range(m), range(m)] = v
    return x @ d


def one_hot(labels: np.ndarray, table: np.ndarray):
    (n,) = labels.shape
    k, m = table.shape
    hot = np.zeros((n, k))
    hot[range(n), labels] = 1
    return hot @ table


def trace(a: np.ndarray, b: np.ndarray):
    n, m = a.shape
    m, n = b.shape
    return (a @ b)[range(n), range(n)].sum()


def cases(rng):
    for n, m in ((5, 3), (1, 1), (2, 4)):
        yield "placed", (rng.random((n, m)), rng.random(m)), {}
        yield "placed", (rng.random((n, m)).astype(np.float32), rng.random(m)), {}
        yield "one_hot", (rng.integers(0, m, n), rng.random((m, 2))), {}
        yield "trace", (rng.random((n, m)), rng.random((m, n))), {}
