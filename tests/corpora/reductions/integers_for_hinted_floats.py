# expect: ASC106 safe scope=excess
# expect: ASC105 safe scope=running
import numpy as np


def excess(x: np.ndarray, level: float):
    s = 0.0
    for i in range(len(x)):
        s += x[i] - level
    return s


def running(x: np.ndarray, level: float):
    s = 0.0
    out = []
    for v in x:
        s = s + v * level
        out.append(s)
    return np.array(out)


def cases(rng):
    for size in (1, 2, 5):
        for level in (2.0, 3, -1):
            yield "excess", (np.arange(size), level), {}
            yield "excess", (rng.standard_normal(size), level), {}
            yield "running", (np.arange(size), level), {}
            yield "running", (rng.standard_normal(size), level), {}
    yield "excess", (np.arange(0), 3), {}
