# expect: SYM601 safe scope=pushes

import math

import numpy as np


def push(here, there):
    apart = there[0] - here[0]
    return apart / (math.sqrt((there[1] - here[1]) ** 2 + 1.0) + abs(apart) ** 3)


def pushes(body: np.ndarray):
    n = body.shape[0]
    force = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            force[i, j] = push(body[i], body[j])
    return force


def cases(rng):
    yield "pushes", (rng.random((5, 2)),), {}
    yield "pushes", (rng.random((1, 2)),), {}
