# expect: ASC106 safe scope=weights
import numpy as np


def weights(x: np.ndarray):
    total = x.sum() * 0
    for v in x:
        total += np.exp(v)
    return np.log(total)


def cases(rng):
    for n in (1, 7):
        yield "weights", (rng.integers(-3, 4, n),), {}
        yield "weights", (rng.normal(size=n),), {}
