# refuse: only under a condition does the array take the name of the list
import numpy as np


def scaled(x: np.ndarray, whole: bool):
    n, d = x.shape
    rows = []
    for i in range(n):
        rows.append(x[i] * 2)
    if whole:
        rows = np.array(rows)
    return rows


def cases(rng):
    yield "scaled", (rng.normal(size=(4, 3)), True), {}
    yield "scaled", (rng.normal(size=(4, 3)), False), {}
