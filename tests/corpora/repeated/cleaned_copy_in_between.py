# expect: RED502 safe scope=cleaned
import numpy as np


def cleaned(a, b):
    p = a @ b
    clean = np.nan_to_num(a, copy=True)
    q = a @ b
    return p + 1, q * clean


def cases(rng):
    yield "cleaned", (rng.normal(size=(3, 3)), rng.normal(size=(3, 3))), {}
