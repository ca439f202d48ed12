# expect: LOC308 safe scope=smooth
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view


def smooth(x: np.ndarray, n: int) -> np.ndarray:
    return sliding_window_view(x, n).mean(axis=-1)


def cases(rng):
    yield "smooth", (rng.standard_normal(30), 4), {}
    yield "smooth", (rng.standard_normal(30).astype(np.float32), 4), {}
