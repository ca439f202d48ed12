# refuse: LOC302 what has the type already is not copied
# refuse: LOC306 what has the type already is not copied
import numpy as np
import torch


def spread(x: np.ndarray):
    y = x.astype(float, copy=False)
    for i in range(1, len(x) - 1):
        y[i] = x[i - 1] * 2
    return y


def spread_tensor(x: torch.Tensor):
    y = x.float()
    for i in range(1, len(x) - 1):
        y[i] = x[i - 1] * 2
    return y


def products(x):
    out = x.astype(np.float64, copy=False)
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            out[i, j] = x[i, 0] * x[j, 0]
    return out


def cases(rng):
    yield "spread", (np.arange(1.0, 8) ** 2,), {}
    yield "spread_tensor", (torch.arange(1.0, 8) ** 2,), {}
    yield "products", (rng.standard_normal((3, 3)),), {}
