# refuse: the two axes are not the same
"""Normalised over another axis than the attribute says at first, or without keeping it."""

from __future__ import annotations

import torch
from torch import nn


class Turning(nn.Module):
    def __init__(self, axis: int):
        super().__init__()
        self.axis = axis

    def forward(self, x):
        weights = torch.exp(x - torch.amax(x, self.axis, keepdim=True))
        self.axis = -1 - self.axis
        return weights / torch.sum(weights, self.axis, keepdim=True)


class Leading(nn.Module):
    def __init__(self, axis: int):
        super().__init__()
        self.axis = axis

    def forward(self, x):
        weights = torch.exp(x)
        return weights / torch.sum(weights, self.axis)


def base_of_three_digits(x):
    e = 2.718 ** (x - torch.amax(x, -1, keepdim=True))
    return torch.exp(x) / torch.sum(e, -1, keepdim=True)


def cases(rng):
    x = torch.from_numpy(rng.standard_normal((4, 4))).requires_grad_()
    yield "Turning(0)", (x,), {}
    yield "Leading(0)", (x,), {}
    yield "base_of_three_digits", (x,), {}
