# refuse: the first windows begin at the end
import numpy as np


def causal_wrap(x: np.ndarray, w: np.ndarray):
    n, k = len(x), len(w)
    out = np.zeros(n)
    for i in range(n):
        for j in range(k):
            out[i] += x[i - j] * w[j]
    return out


def cases(rng):
    yield "causal_wrap", (rng.random(9), rng.random(3)), {}
    yield "causal_wrap", (rng.random(2), rng.random(3)), {}
