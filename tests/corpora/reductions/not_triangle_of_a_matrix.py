# refuse: ASC106 the inner bound changes with the outer loop
import numpy as np


def below_the_diagonal(x: np.ndarray):
    total = 0.0
    for i in range(x.shape[0]):
        for j in range(i):
            total += x[i, j]
    return total


def cases(rng):
    for n in (4, 1, 2):
        yield "below_the_diagonal", (rng.random((n, n)),), {}
