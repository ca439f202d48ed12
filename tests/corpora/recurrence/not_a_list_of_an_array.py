# refuse: a list or tuple of the rows of an array is no array

import numpy as np
import torch


def smoothed(x: np.ndarray):
    x = tuple(x)
    y = np.zeros(len(x))
    for i in range(1, len(x)):
        y[i] = 0.3 * x[i] + 0.7 * y[i - 1]
    return y


def differences(x: np.ndarray):
    x = list(x)
    y = np.zeros(len(x))
    for i in range(1, len(x)):
        y[i] = x[i] - x[i - 1]
    return y


def doubled(x: torch.Tensor):
    x = list(x)
    y = torch.zeros(len(x))
    for i in range(1, len(x)):
        y[i] = x[i] * 2
    return y


def total(x: np.ndarray):
    rows = tuple(x)
    total = 0.0
    for i in range(len(rows)):
        total += rows[i] * 2
    return total


def cases(rng):
    for n in (1, 2, 7):
        x = rng.standard_normal(n)
        yield "smoothed", (x,), {}
        yield "differences", (x,), {}
        yield "doubled", (torch.tensor(x),), {}
        yield "total", (x,), {}
