# refuse: only the condition keeps a step within the array
import numpy as np


def shifted(x: np.ndarray, k: int):
    n = x.shape[0]
    out = np.zeros(n)
    for i in range(n):
        if i + k < n:
            out[i] = x[i + k]
    return out


def cases(rng):
    yield "shifted", (rng.standard_normal(7), 2), {}
    yield "shifted", (rng.standard_normal(7), 9), {}
