# expect: ASC101 safe scope=f
import numpy as np


def f(x, a):
    rows = []
    h = 0.0
    for t in range(len(x)):
        h = a * h + x[t]
        rows.append(h)
    return np.array(rows, dtype=np.float32)


def cases(rng):
    for n in (1, 2, 60):
        yield "f", (rng.standard_normal(n), 0.9), {}
