# expect: ASC101 safe scope=filter_rows
import numpy as np


def filter_rows(x, decay):
    batch, steps, dim = x.shape
    h = np.zeros((batch, dim))
    ys = []
    for t in range(steps):
        h = decay * h + x[:, t]
        ys.append(h)
    return np.stack(ys, axis=1)


def cases(rng):
    for steps in (1, 2, 60):
        yield "filter_rows", (rng.standard_normal((2, steps, 3)), 0.9), {}
        yield "filter_rows", (rng.standard_normal((2, steps, 3)).astype(np.float32), 0.9), {}
