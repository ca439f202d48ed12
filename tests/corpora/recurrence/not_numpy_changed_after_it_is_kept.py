# refuse: ASC101 a kept row is changed
import numpy as np


def f(x, a):
    rows = []
    h = np.zeros(x.shape[1])
    for t in range(len(x)):
        h = a * h + x[t]
        rows.append(h)
        h[0] = 0.0
    return np.array(rows)


def cases(rng):
    yield "f", (rng.standard_normal((60, 3)), 0.9), {}
