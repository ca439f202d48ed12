# refuse: ASC104 each step is cut to a whole number
import numpy as np


def iir(x, a: float, b: float):
    y = np.zeros(len(x), dtype=int)
    for n in range(2, len(x)):
        y[n] = x[n] + a * y[n - 1] + b * y[n - 2]
    return y


def cases(rng):
    for n in (2, 3, 140):
        yield "iir", (rng.standard_normal(n) * 100, 0.5, 0.2), {}
