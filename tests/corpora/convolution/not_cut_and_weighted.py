# refuse: what is added depends on where it stands in the window
import numpy as np


def slopes(v: np.ndarray, r: int):
    n = v.shape[0]
    s = np.zeros(n)
    for i in range(n):
        for j in range(max(0, i - r), min(n, i + r + 1)):
            s[i] += v[j] * (j - i)
    return s


def cases(rng):
    yield "slopes", (rng.standard_normal(9), 2), {}
