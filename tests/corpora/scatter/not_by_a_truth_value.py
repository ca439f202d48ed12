# refuse: SPA406 one truth value takes all of an array or nothing
import numpy as np


def sides(x: np.ndarray, t: float):
    counts = np.zeros(2, dtype=int)
    for i in range(len(x)):
        counts[x[i] > t] += 1
    return counts


def cases(rng):
    for n in (1, 2, 5):
        yield "sides", (rng.standard_normal(n), 0.1), {}
