# expect: LOC303 safe scope=envelope
import numpy as np


def envelope(x: np.ndarray, w: int):
    upper = np.empty_like(x)
    for i in range(len(x)):
        upper[i] = x[max(i - w, 0) : i + w + 1].max()
    return upper


def cases(rng):
    yield "envelope", (rng.standard_normal(9), 2), {}
    yield "envelope", (rng.standard_normal(3).astype(np.float32), 5), {}
    yield "envelope", (rng.integers(0, 9, 7), 1), {}
    yield "envelope", (rng.standard_normal(18)[::2], 0), {}
