# refuse: SYM603 making an item changes a list
import numpy as np


def f(x: np.ndarray, c: np.ndarray, seen: list):
    (n,), (n,) = x.shape, c.shape
    matrix = np.stack([np.roll(c, k) for k in range(n) if seen.append(k) is None])
    return matrix @ x


def cases(rng):
    for n in (1, 2, 7):
        yield "f", (rng.normal(size=n), rng.normal(size=n), []), {}
