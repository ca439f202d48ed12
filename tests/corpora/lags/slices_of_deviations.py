# expect: SYM604 safe scope=f
import numpy as np


def f(x):
    n = len(x)
    xc = x - x.mean()
    r = np.zeros(n)
    for lag in range(n):
        r[lag] = np.sum(xc[: n - lag] * xc[lag:])
    return r / r[0]


def cases(rng):
    def N(*s):
        return rng.standard_normal(s)

    for args in [(N(9),), (N(1),)]:
        yield "f", args, {}
