# expect: LOC306 safe scope=by_sums
# expect: LOC306 unsafe scope=by_squares
# expect: LOC306 unsafe scope=by_squares
# expect: LOC306 safe scope=of_one_axis
import numpy as np


def by_sums(x: np.ndarray):
    n, m = x.shape
    s = x.sum(axis=1)
    for i in range(n):
        x[i] /= s[i]
    return x


def by_squares(x: np.ndarray):
    d = np.zeros(len(x))
    for i in range(len(x)):
        d[i] = (x[i] ** 2).sum()
    for i in range(len(x)):
        x[i] /= d[i]
    return x


def of_one_axis(x: np.ndarray, w: np.ndarray):
    n, m = x.shape
    assert w.ndim == 1
    for i in range(n):
        x[i] *= w[i]
    return x


def cases(rng):
    for shape in ((3, 4), (3, 3), (1, 2)):
        yield "by_sums", (rng.random(shape),), {}
        yield "by_squares", (rng.random(shape),), {}
        yield "by_squares", (rng.random((*shape, 2)),), {}
        yield "of_one_axis", (rng.random(shape), rng.random(shape[0])), {}
