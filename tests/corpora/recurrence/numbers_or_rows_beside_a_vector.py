# expect: ASC101 safe|unsafe scope=kept
import numpy as np


def kept(x, y):
    h = np.zeros(3)
    out = []
    for t in range(1, len(x)):
        h = x[t] + (h if y[t] > 0 else 0.0)
        out.append(h)
    return np.array(out)


def cases(rng):
    for shape in ((5,), (4, 3)):
        yield "kept", (rng.normal(size=shape), np.ones(shape[0])), {}
