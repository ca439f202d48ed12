# expect: LOC303 safe scope=smooth
import numpy as np


def smooth(signal, half):
    signal = np.asarray(signal, dtype=float)
    n = len(signal)
    out = np.zeros(n)
    for t in range(n):
        left = max(0, t - half)
        right = min(n, t + half + 1)
        out[t] = signal[left:right].mean()
    return out


def cases(rng):
    yield "smooth", (rng.standard_normal(9), 2), {}
    yield "smooth", (rng.standard_normal(3), 5), {}
    yield "smooth", (rng.standard_normal(18)[::2], 0), {}
    yield "smooth", (rng.integers(0, 9, 7), 1), {}
    yield "smooth", (rng.standard_normal(1), 1), {}
    yield "smooth", (np.zeros(0), 2), {}
