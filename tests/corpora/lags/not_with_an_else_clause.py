# refuse: SYM603 the loop has an else clause that does more
import numpy as np


def f(x: np.ndarray, c: np.ndarray, seen: list[int]):
    (n,), (n,) = x.shape, c.shape
    matrix = np.empty((n, n))
    for k in range(n):
        matrix[k] = np.roll(c, k)
    else:
        seen.append(n)
    return matrix.T @ x


def cases(rng):
    for n in (1, 2, 7):
        yield "f", (rng.random(n), rng.random(n), []), {}
