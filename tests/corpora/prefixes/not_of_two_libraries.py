# refuse: numbers of tensors are put into arrays of NumPy, and the other way round

import numpy as np
import torch


def largest(x: torch.Tensor):
    out = np.zeros(len(x))
    largest = x[0]
    for i in range(len(x)):
        largest = torch.maximum(largest, x[i])
        out[i] = largest
    return out


def totals(x: np.ndarray):
    out = torch.zeros(len(x))
    total = 0.0
    for i in range(len(x)):
        total = total + x[i]
        out[i] = total
    return out


def totals_in_place(x: torch.Tensor):
    out = np.zeros(len(x))
    out[0] = x[0]
    for i in range(1, len(x)):
        out[i] = out[i - 1] + x[i]
    return out


def cases(rng):
    for n in (1, 2, 7):
        x = rng.standard_normal(n)
        yield "largest", (torch.tensor(x),), {}
        yield "totals", (x,), {}
        yield "totals_in_place", (torch.tensor(x),), {}
