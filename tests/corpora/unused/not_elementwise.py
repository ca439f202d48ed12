# refuse: RED509 the trace of an elementwise product multiplies the diagonals only
import numpy as np


def diagonals(a: np.ndarray, b: np.ndarray):
    return np.trace(a * b)


def cases(rng):
    yield "diagonals", (rng.standard_normal((3, 3)), rng.standard_normal((3, 3))), {}
