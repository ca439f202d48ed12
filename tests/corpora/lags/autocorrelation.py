# expect: SYM604 safe scope=f
import numpy as np


def f(x: np.ndarray, centre: float):
    x = x - centre
    n = x.shape[0]
    r = np.zeros(n)
    for lag in range(n):
        for t in range(n - lag):
            r[lag] += x[t] * x[t + lag]
    return r / n


def cases(rng):
    for n in (1, 2, 7, 12):
        yield "f", (rng.normal(size=n), 0.25), {}
