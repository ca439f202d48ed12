# refuse: ASC101 all items of the list are one array
import numpy as np


def same_row(x, a):
    h = np.zeros(x.shape[1])
    out = []
    for t in range(len(x)):
        h *= a
        h += x[t]
        out.append(h)
    return np.array(out)


def cases(rng):
    yield "same_row", (rng.standard_normal((60, 3)), 0.9), {}
