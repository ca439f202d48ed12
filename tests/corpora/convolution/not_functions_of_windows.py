# refuse: torch's median of all is the lower of two, and its median along an axis two tensors
# refuse: torch divides by what it takes off in no other way in all its versions
# refuse: the sum of rows is a row
"""Functions of windows that the libraries do not take of many at once."""

import numpy as np
import torch


def median(x: torch.Tensor, w: int):
    n = x.shape[0]
    out = torch.zeros(n - w + 1)
    for i in range(n - w + 1):
        out[i] = torch.median(x[i : i + w])
    return out


def spread(x: torch.Tensor, w: int):
    n = x.shape[0]
    out = torch.zeros(n - w + 1)
    for i in range(n - w + 1):
        out[i] = x[i : i + w].var(correction=2)
    return out


def rows(x: np.ndarray, w: int):
    n, d = x.shape
    out = np.zeros((n - w + 1, d))
    for i in range(n - w + 1):
        out[i] = sum(x[i : i + w])
    return out


def cases(rng):
    x = rng.normal(size=7)
    yield "median", (torch.tensor(x), 4), {}
    yield "spread", (torch.tensor(x), 4), {}
    yield "rows", (rng.normal(size=(7, 2)), 3), {}
