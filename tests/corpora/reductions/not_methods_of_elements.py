# refuse: ASC106 numbers have no such methods, and functions of numbers take no arrays
import math

import numpy as np
import torch


def large(x: torch.Tensor):
    total = 0.0
    for value in x:
        if value.abs() > 0.5:
            total += value.item()
    return total


def counted(x: torch.Tensor):
    n = 0
    for v in x:
        if math.exp(v) > 1.5:
            n += 1
    return n


def energy(x: np.ndarray):
    (n,) = x.shape
    total = 0.0
    for v in x:
        total += math.exp(v)
    return total


def right(x: torch.Tensor, y: torch.Tensor):
    n = 0
    for row, label in zip(x, y, strict=True):
        if row.argmax().item() == label.item():
            n += 1
    return n


def ragged(x: torch.Tensor, lengths: list[int]):
    b, n, d = x.shape
    total = torch.zeros(d)
    for i in range(b):
        total = total + x[i, : lengths[i]].sum(0)
    return total


def cases(rng):
    yield "large", (torch.randn(5),), {}
    yield "counted", (torch.randn(5),), {}
    yield "energy", (rng.standard_normal(4),), {}
    yield "right", (torch.randn(4, 3), torch.tensor([0, 1, 2, 0])), {}
    yield "ragged", (torch.randn(3, 4, 2), [1, 4, 2]), {}
