# expect: SPA402 safe scope=scaled
import numpy as np


def scaled(v, a):
    (n,) = v.shape
    n, d = a.shape
    return np.diag(v).dot(a)


def cases(rng):
    for n in (5, 1):
        yield "scaled", (rng.standard_normal(n), rng.standard_normal((n, 3))), {}
