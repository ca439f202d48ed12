# expect: LOC303 safe scope=over_images
# expect: LOC303 safe scope=over_series
import numpy as np


def over_images(x: np.ndarray, w: np.ndarray):
    n, m = x.shape
    k, l = w.shape  # noqa: E741
    down, across = (n - k) // 2 + 1, (m - l) // 3 + 1
    out = np.zeros((down, across))
    for i in range(down):
        for j in range(across):
            out[i, j] = np.sum(x[2 * i : 2 * i + k, 3 * j : 3 * j + l] * w)
    return out


def over_series(x: np.ndarray, w: np.ndarray):
    (n,) = x.shape
    (k,) = w.shape
    out = np.zeros((n - k) // 2 + 1)
    for i in range((n - k) // 2 + 1):
        out[i] = np.dot(x[2 * i : 2 * i + k], w)
    return out


def cases(rng):
    for n, m, k, size in ((7, 9, 3, 2), (6, 8, 2, 3), (3, 3, 3, 3), (4, 5, 1, 1)):
        yield "over_images", (rng.normal(size=(n, m)), rng.normal(size=(k, size))), {}
        yield "over_series", (rng.normal(size=n), rng.normal(size=k)), {}
    yield "over_series", (rng.normal(size=2), rng.normal(size=3)), {}
