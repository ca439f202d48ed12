# refuse: the places change under the loop
import numpy as np


def changes_idx(x: np.ndarray, idx: np.ndarray):
    for i in range(len(x)):
        idx[idx[i]] += 1
    return idx


def cases(rng):
    yield "changes_idx", (rng.random(9), rng.integers(0, 7, 9)), {}
