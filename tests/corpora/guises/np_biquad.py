# expect: ASC104 safe scope=np_biquad
import numpy as np


def np_biquad(x: np.ndarray, b0: float, b1: float, b2: float, a1: float, a2: float):
    y = np.zeros(len(x))
    y[0] = b0 * x[0]
    y[1] = b0 * x[1] + b1 * x[0] - a1 * y[0]
    for n in range(2, len(x)):
        y[n] = b0 * x[n] + b1 * x[n - 1] + b2 * x[n - 2] - a1 * y[n - 1] - a2 * y[n - 2]
    return y


def cases(rng):
    yield "np_biquad", (rng.standard_normal((9,)), 0.3, 0.2, 0.1, 0.4, 0.1), {}
