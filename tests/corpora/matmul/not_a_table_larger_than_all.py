# refuse: the table of cosines is larger than any array
import numpy as np


def transform(x: np.ndarray):
    (n,) = x.shape
    out = np.zeros(n)
    for k in range(n):
        for i in range(n):
            out[k] += x[i] * np.cos(np.pi / n * (i + 0.5) * k)
    return out


def cases(rng):
    yield "transform", (rng.standard_normal(8),), {}
