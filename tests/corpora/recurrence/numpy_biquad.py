# expect: ASC104 safe scope=biquad
import numpy as np


def biquad(x, b, a):
    """x: float array (n,); b, a: sequences of three floats."""
    y = np.zeros_like(x)
    x1 = x2 = y1 = y2 = 0.0
    for i in range(len(x)):
        y[i] = b[0] * x[i] + b[1] * x1 + b[2] * x2 - a[1] * y1 - a[2] * y2
        x2, x1 = x1, x[i]
        y2, y1 = y1, y[i]
    return y


def cases(rng):
    for n in (1, 2, 3, 140):
        yield "biquad", (rng.standard_normal(n), (0.2, 0.3, 0.1), (1.0, -0.5, 0.2)), {}
