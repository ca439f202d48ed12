# expect: LOC306 safe scope=of_joined_sizes
# expect: LOC306 safe scope=of_known_sizes
# expect: LOC306 safe scope=by_one_size
import numpy as np


def of_joined_sizes(x: np.ndarray, w: np.ndarray):
    n, m = x.shape
    out = np.zeros((2,) + x.shape)
    for i in range(n):
        for j in range(m):
            out[0, i, j] = x[i, j] * 2
    return out


def of_known_sizes(x: np.ndarray, w: np.ndarray):
    sizes = x.shape + (3,)
    n, m, _ = sizes
    out = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            out[i, j] = x[i, j] * w[j]
    return out


def by_one_size(x: np.ndarray, w: np.ndarray):
    sizes = [2, *x.shape]
    n, m = sizes[1:]
    out = np.zeros(sizes[1:])
    for i in range(n):
        for j in range(m):
            out[i, j] = x[i, j] - w[j]
    return out


def cases(rng):
    for shape in ((3, 4), (1, 2)):
        for name in ("of_joined_sizes", "of_known_sizes", "by_one_size"):
            yield name, (rng.random(shape), rng.random(shape[1])), {}
