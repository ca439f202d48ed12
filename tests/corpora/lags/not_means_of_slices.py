# refuse: SYM604 each place is divided by how many meet there
import numpy as np


def f(x):
    n = len(x)
    r = np.zeros(n)
    for lag in range(n):
        r[lag] = np.mean(x[: n - lag] * x[lag:])
    return r


def cases(rng):
    def N(*s):
        return rng.standard_normal(s)

    for args in [(N(9),), (N(1),)]:
        yield "f", args, {}
