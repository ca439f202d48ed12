# refuse: LOC305 a row is put away over what was added to one of its components
import numpy as np


def forces(places):
    n = places.shape[0]
    force = np.zeros((n, 2))
    for i in range(n):
        whole = np.zeros(2)
        for j in range(n):
            way = places[j] - places[i]
            whole += way
            force[i, 0] += way[0]
        force[i] = whole
    return force


def cases(rng):
    yield "forces", (rng.normal(size=(4, 2)),), {}
