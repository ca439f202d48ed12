# expect: LOC305 safe scope=f
import numpy as np


def f(x, m, G=1.0, eps=0.1):
    n = x.shape[0]
    out = np.zeros_like(x)
    for _ in range(3):
        force = np.zeros_like(x)
        for i in range(n):
            for j in range(n):
                if i == j:
                    continue
                d = x[j] - x[i] + 0.1 * out[i]
                force[i] += m[j] * d / (np.abs(d).sum() + eps)
        out = out + force
    return out


def cases(rng):
    for n in (1, 2, 9):
        yield "f", (rng.standard_normal((n, 3)), rng.uniform(1, 2, n)), {}
