# refuse: ASC105 a step keeps the smaller where the test looks for the larger of others
import numpy as np


def steps(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    m = x.copy()
    for i in range(1, len(m)):
        if y[i - 1] > y[i]:
            m[i] = m[i - 1]
    return m


def later(x: np.ndarray) -> np.ndarray:
    m = x.copy()
    for i in range(len(m) - 1):
        m[i] = np.maximum(m[i + 1], m[i])
    return m


def cases(rng):
    yield "steps", (rng.random(9), rng.random(9)), {}
    yield "later", (rng.random(9),), {}
