# expect: SEP205 safe scope=nearest
# expect: SEP205 safe scope=itself
# expect: SEP205 safe scope=einsum
# expect: SEP205 safe scope=kernel
import numpy as np


def nearest(points, centres):
    return np.argmin(((points[:, np.newaxis] - centres) ** 2).sum(axis=2), axis=1)


def itself(x):
    apart = x[:, np.newaxis, :] - x[np.newaxis, :, :]
    return np.sqrt(np.sum(apart**2, axis=-1))


def einsum(x, y):
    apart = x[:, None, :] - y[None, :, :]
    return np.einsum("ijk,ijk->ij", apart, apart)


def kernel(x: np.ndarray, y: np.ndarray, width: float):
    return np.exp(-np.square(np.linalg.norm(np.expand_dims(x, 1) - y[None], axis=-1)) / width)


def cases(rng):
    for n, m, d in ((1, 1, 1), (5, 4, 3), (43, 31, 7)):
        x, y = rng.standard_normal((n, d)), rng.standard_normal((m, d))
        yield "nearest", (x, y), {}
        yield "itself", (x,), {}
        yield "itself", (x[::-1, ::2],), {}
        yield "einsum", (x, y), {}
        yield "einsum", (x.astype(np.float32), y), {}
        yield "kernel", (x.astype(np.float32), y.astype(np.float32), 2.0), {}
    whole = rng.integers(-9, 9, (60, 5))
    yield "nearest", (whole, whole[:20]), {}
    yield "itself", (whole.astype(np.int32),), {}
    yield "nearest", (rng.standard_normal((60, 8, 5)), rng.standard_normal((60, 8, 5))), {}
