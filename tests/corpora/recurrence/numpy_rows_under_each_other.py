# expect: ASC101 safe scope=f
import numpy as np


def f(x, a):
    rows = []
    h = np.zeros(x.shape[1])
    for t in range(len(x)):
        h = a * h + x[t]
        rows.append(h)
    return np.vstack(rows)


def cases(rng):
    for n in (1, 2, 60):
        yield "f", (rng.standard_normal((n, 3)), 0.9), {}
