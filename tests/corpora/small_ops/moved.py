# expect: LOC306 safe scope=channels
# expect: LOC306 safe scope=spread
# expect: LOC306 safe scope=mirrored
# expect: LOC306 safe scope=chained
# expect: LOC306 safe scope=between
import numpy as np
import torch


def channels(image: np.ndarray):
    h, w, c = image.shape
    out = np.zeros((c, h, w))
    for y in range(h):
        for x in range(w):
            for k in range(c):
                out[k, y, x] = image[y, x, c - 1 - k]
    return out


def spread(v: np.ndarray, a: np.ndarray):
    n, m = a.shape
    (n,) = v.shape
    out = np.empty((n, m))
    for i in range(n):
        for j in range(m):
            out[i, j] = v[n - 1 - i]
    return out


def mirrored(x: torch.Tensor):
    n, m = x.shape
    out = torch.zeros_like(x)
    for i in range(n):
        for j in range(m):
            out[i, j] = x[i, m - 1 - j]
    return out


def chained(a: np.ndarray):
    n, m = a.shape
    t = np.zeros((m, n))
    for i in range(n):
        for j in range(m):
            t[j][i] = a[i][j]
    return t


def between(x: np.ndarray, y: np.ndarray):
    """From one array to another that is there."""
    (n,) = x.shape
    (n,) = y.shape
    for i in range(n):
        y[n - 1 - i] = x[i]
    return y


def cases(rng):
    for n, m in ((4, 3), (1, 2)):
        a = rng.random((n, m))
        yield "channels", (rng.random((n, m, 3)),), {}
        yield "spread", (rng.random(n), a), {}
        yield "mirrored", (torch.randn(n, m, requires_grad=True),), {}
        yield "chained", (a,), {}
        yield "between", (rng.random(n), rng.random(n)), {}
