# refuse: a name of a cell has what is written into it
import numpy as np
import torch


def element(x: torch.Tensor):
    (n,) = x.shape
    out = torch.full((n,), 3.0)
    for i in range(n):
        w = out[i]
        out[i] = x[i] * 2
        out[i] = x[i] - w
    return out


def row(x: np.ndarray):
    n, m = x.shape
    out = np.ones((n, m))
    for i in range(n):
        w = out[i]
        out[i] = x[i] * 2
        out[i] = x[i] - w
    return out


def cases(rng):
    yield "element", (torch.ones(3),), {}
    yield "row", (rng.random((2, 3)),), {}
