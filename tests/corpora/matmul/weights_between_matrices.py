# expect: LOC301 safe scope=laplace
import numpy as np


def laplace(f: np.ndarray, g: np.ndarray, s: float):
    n, m = f.shape
    out = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            for k in range(m):
                out[i, j] += f[i, k] * np.exp(-s * k) * g[k, j]
    return out


def cases(rng):
    yield "laplace", (rng.standard_normal((4, 5)), rng.standard_normal((5, 5)), 0.3), {}
