# refuse: RED501 one of the equal terms is changed in place at each step
import numpy as np


def weighed(x: np.ndarray, w: np.ndarray):
    out = []
    for t in range(3):
        y = np.sort(w)
        y += t
        out.append(y * x)
    return out


def cases(rng):
    yield "weighed", (rng.normal(size=(3, 2)), rng.normal(size=(3, 2))), {}
