# expect: ASC106 safe scope=selected_sum
import numpy as np


def selected_sum(x: np.ndarray, mask: np.ndarray):
    total = 0.0
    for i in range(len(x)):
        if mask[i]:
            total += x[i]
    return total


def cases(rng):
    yield "selected_sum", (rng.random(7), rng.random(7) > 0.5), {}
    yield "selected_sum", (rng.random(7), rng.integers(0, 3, 7)), {}
    yield "selected_sum", (rng.random(3), np.zeros(3, dtype=bool)), {}
    yield "selected_sum", (rng.random(0), np.zeros(0, dtype=bool)), {}
