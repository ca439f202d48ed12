# refuse: RED501 the loop writes into a view of what the term reads

import numpy as np


def relax(a: np.ndarray, x: np.ndarray):
    diagonal = np.einsum("ii->i", a)
    for _ in range(4):
        x = np.sin(x) / np.linalg.norm(a)
        diagonal += 1
    return x


def cases(rng):
    yield "relax", (rng.normal(size=(3, 3)), rng.normal(size=3)), {}
