# refuse: ASC101 each state is rounded as it is written
import numpy as np


def half_steps(x, a):
    out = np.zeros(len(x), dtype=np.float16)
    for i in range(1, len(x)):
        out[i] = a * out[i - 1] + x[i]
    return out


def cases(rng):
    yield "half_steps", (rng.standard_normal(60), 0.9), {}
