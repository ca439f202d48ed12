# refuse: LOC305 the sums start from the array whose rows they read
import numpy as np


def f(x: np.ndarray, v: np.ndarray):
    moved = np.copy(x)
    seen = moved[:]
    for i in range(len(x)):
        for j in range(len(x)):
            if i != j:
                d = seen[j] - x[i]
                moved[i] += d / (1 + np.sum(d * d))
    return moved


def cases(rng):
    for n in (1, 2, 9):
        yield "f", tuple(rng.standard_normal((2, n, 3))), {}
