# expect: ASC104 safe scope=biquad
# expect: ASC101 safe scope=one_pole
import numpy as np


def biquad(x: np.ndarray, b0: float, b1: float, b2: float, a1: float, a2: float):
    y = np.zeros_like(x)
    x1 = x2 = y1 = y2 = 0.0
    for n in range(len(x)):
        y[n] = b0 * x[n] + b1 * x1 + b2 * x2 - a1 * y1 - a2 * y2
        x2, x1 = x1, x[n]
        y2, y1 = y1, y[n]
    return y


def one_pole(x: np.ndarray, b0: float, b1: float, b2: float, a1: float):
    y = np.zeros_like(x)
    x1 = x2 = y1 = 0.0
    for n in range(len(x)):
        y[n] = b0 * x[n] + b1 * x1 + b2 * x2 - a1 * y1
        x2, x1 = x1, x[n]
        y1 = y[n]
    return y


def cases(rng):
    for shape in ((0,), (1,), (2,), (9,), (5, 2)):
        x = rng.normal(size=shape)
        yield "biquad", (x, 0.5, 0.25, 0.125, -0.5, 0.25), {}
        yield "one_pole", (x, 0.5, 0.25, 0.125, -0.5), {}
