# expect: ASC101 advice scope=np_nested
import numpy as np


def np_nested(x: np.ndarray, a: float):
    n, m = x.shape
    y = np.zeros((n, m))
    for j in range(m):
        y[0, j] = x[0, j]
        for i in range(1, n):
            y[i, j] = a * y[i - 1, j] + x[i, j]
    return y


def cases(rng):
    yield (
        "np_nested",
        (
            rng.standard_normal(
                (
                    7,
                    3,
                )
            ),
            0.9,
        ),
        {},
    )
