# expect: SYM602 safe scope=f
import numpy as np


def f(x: np.ndarray):
    n, d = x.shape
    kernel = np.array(
        [[sum(x[i, k] * x[j, k] for k in range(d)) for j in range(n)] for i in range(n)]
    )
    return kernel[0] + kernel.sum()


def cases(rng):
    for n, d in ((1, 1), (2, 3), (7, 5), (3, 130)):
        yield "f", (rng.normal(size=(n, d)),), {}
    yield "f", (rng.normal(size=(5, 7)).T,), {}
    yield "f", (rng.normal(size=(6, 4))[::2],), {}
    yield "f", (rng.normal(size=(4, 3)).astype(np.float32),), {}
