# refuse: ASC104 a step reads an output from far back
import numpy as np


def f(x: np.ndarray, a: float, b: float):
    """The array is read at a place that the step does not name."""
    y = np.zeros(len(x))
    for n in range(2, len(x)):
        y[n] = a * y[n - 1] + b * y[n - 2] + x[n] + y[n // 2]
    return y


def cases(rng):
    for n in (2, 3, 140):
        yield "f", (rng.standard_normal(n), 0.5, 0.2), {}
