# refuse: ASC101 the number that it starts as makes the whole array one in double precision
import numpy as np


def levels(x: np.ndarray, a: float, h: float):
    """The level before each step."""
    kept = []
    for t in range(len(x)):
        kept.append(h)
        h = a * h + x[t]
    return np.array(kept)


def cases(rng):
    for n in (1, 2, 60):
        yield "levels", (rng.standard_normal(n).astype(np.float32), 0.9, 0.1), {}
