# expect: SYM604 safe scope=lower
# expect: SYM603 safe scope=circle
import numpy as np


def lower(h: np.ndarray, x: np.ndarray):
    (n,) = x.shape
    (n,) = h.shape
    i, j = np.indices((n, n))
    matrix = np.where(i >= j, h[np.abs(i - j)], 0.0)
    return matrix @ x


def circle(h: np.ndarray, x: np.ndarray):
    (n,) = x.shape
    (n,) = h.shape
    i, j = np.ogrid[:n, :n]
    return h[(i - j) % n] @ x


def cases(rng):
    for n in (1, 2, 9):
        for name in ("lower", "circle"):
            yield name, (rng.normal(size=n), rng.normal(size=2 * n)[::2]), {}
