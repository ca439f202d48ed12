# refuse: numbers of tensors are put into arrays of NumPy, and the other way round

import numpy as np
import torch


def smoothed(x: torch.Tensor):
    y = np.zeros_like(x)
    for i in range(1, len(x)):
        y[i] = 0.3 * x[i] + 0.7 * y[i - 1]
    return y


def smoothed_into_numpy(x: torch.Tensor):
    y = np.zeros(len(x))
    for i in range(1, len(x)):
        y[i] = 0.3 * x[i] + 0.7 * y[i - 1]
    return y


def smoothed_into_torch(x: np.ndarray):
    y = torch.zeros(len(x))
    for i in range(1, len(x)):
        y[i] = 0.3 * x[i] + 0.7 * y[i - 1]
    return y


def cases(rng):
    for n in (1, 2, 7):
        x = rng.standard_normal(n)
        yield "smoothed", (torch.tensor(x),), {}
        yield "smoothed_into_numpy", (torch.tensor(x),), {}
        yield "smoothed_into_torch", (x,), {}
