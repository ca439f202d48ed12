# refuse: LOC306 what is filled is a tensor, however little is known of its size
import numpy as np
import torch


def doubled(x: np.ndarray):
    if len(__name__) > 0:
        (n,) = x.shape
    out = torch.zeros(n)
    for i in range(n):
        out[i] = x[i] * 2
    return out


def cases(rng):
    yield "doubled", (rng.standard_normal(4),), {}
