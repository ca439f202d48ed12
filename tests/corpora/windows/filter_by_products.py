# expect: LOC309 safe scope=fir
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view


def fir(x: np.ndarray, h: np.ndarray) -> np.ndarray:
    (m,) = h.shape
    w = sliding_window_view(x, m)
    return (w * h[::-1]).sum(axis=1)


def cases(rng):
    yield "fir", (rng.standard_normal(30), rng.standard_normal(4)), {}
    yield "fir", (rng.standard_normal(30) + 1j, rng.standard_normal(4) + 2j), {}
    yield "fir", (rng.integers(0, 9, 30), rng.standard_normal(4)), {}
