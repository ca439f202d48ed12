# expect: ASC106 safe scope=trapezoid
import numpy as np


def trapezoid(y: np.ndarray, dx: float):
    """Area under samples on an even grid."""
    assert y.ndim == 1 and len(y) >= 2
    area = 0.0
    i = 1
    while i < len(y):
        area += 0.5 * (y[i - 1] + y[i]) * dx
        i += 1
    return area


def cases(rng):
    for n in (2, 3, 80):
        yield "trapezoid", (rng.standard_normal(n), 0.1), {}
