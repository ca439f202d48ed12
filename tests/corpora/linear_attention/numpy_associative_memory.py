# expect: ASC103 advice scope=associative_memory
import numpy as np


def associative_memory(q, k, v, keep=0.9):
    steps, size = k.shape
    M = np.zeros((size, v.shape[1]))
    ys = np.zeros((steps, v.shape[1]))
    for t in range(steps):
        M = keep * M + np.outer(k[t], v[t])
        ys[t] = q[t] @ M
    return ys


def cases(rng):
    for l in (1, 6):
        args = (
            rng.standard_normal((l, 4)),
            rng.standard_normal((l, 4)),
            rng.standard_normal((l, 3)),
        )
        yield "associative_memory", args, {}
