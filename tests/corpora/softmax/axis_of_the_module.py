# expect: ASC107 safe scope=Softmax.forward
# expect: ASC107 safe scope=ShiftedAlongAnother.forward
# expect: ASC107 safe scope=by_position
# expect: ASC107 safe scope=to_the_power
"""The axis as an attribute and by position; the exponential as a power of Euler's number."""

from __future__ import annotations

import math

import torch
from torch import nn


class Softmax(nn.Module):
    def __init__(self, axis: int = -1, temperature: float = 1.0):
        super().__init__()
        self.axis = axis
        self.temperature = temperature

    def forward(self, logits):
        logits = logits.div(self.temperature)
        largest = logits.max(dim=self.axis, keepdim=True)[0]
        weights = torch.exp(logits.sub(largest))
        return weights.div(weights.sum(dim=self.axis, keepdim=True))


class ShiftedAlongAnother(nn.Module):
    def __init__(self, axis: int, other: int):
        super().__init__()
        self.axis = axis
        self.other = other

    def forward(self, x):
        weights = torch.exp(x - torch.amax(x, self.axis, keepdim=True))
        return weights / torch.sum(weights, self.other, keepdim=True)


def by_position(x, axis):
    e = torch.exp(x - torch.amax(x, axis, keepdim=True))
    return e / torch.sum(e, axis, True)


def to_the_power(x):
    e = math.e ** (x - torch.max(x, 1, True)[0])
    return e / torch.sum(e, 1, True)


def cases(rng):
    for shape in ((2, 1), (3, 5, 4)):
        x = torch.from_numpy(rng.standard_normal(shape)).requires_grad_()
        for axis in (0, 1, -1):
            yield f"Softmax({axis}, 0.5)", (x,), {}
            yield "by_position", (x, axis), {}
        yield "ShiftedAlongAnother(0, 1)", (x,), {}
        yield "to_the_power", (x,), {}
