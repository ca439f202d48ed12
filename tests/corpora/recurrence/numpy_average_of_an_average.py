# expect: ASC101 safe scope=double_ema
import numpy as np


def double_ema(x, a):
    e1 = e2 = 0.0
    out = np.zeros(len(x))
    for i in range(len(x)):
        e1 = a * e1 + (1 - a) * x[i]
        e2 = a * e2 + (1 - a) * e1
        out[i] = 2 * e1 - e2
    return out


def cases(rng):
    for n in (1, 2, 60):
        yield "double_ema", (rng.standard_normal(n), 0.8), {}
        yield "double_ema", (rng.standard_normal(n).astype(np.float32), 0.8), {}
