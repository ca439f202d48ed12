# expect: ASC108 safe scope=Norm.statistics
# expect: ASC108 safe scope=Norm.forward
# expect: ASC108 safe scope=of_channels
# expect: ASC108 advice scope=of_squares
"""The statistics come from a method, are put back as channels, or may be of whole numbers."""

import torch
from torch import nn


class Norm(nn.Module):
    def __init__(self, width, eps=1e-5):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
        self.bias = nn.Parameter(torch.zeros(width))
        self.eps = eps

    def statistics(self, x):
        mean = x.mean(-1, keepdim=True)
        return mean, x.var(-1, keepdim=True, unbiased=False)

    def forward(self, x):
        mean, var = self.statistics(x)
        return (x - mean) / (var + self.eps).sqrt() * self.weight + self.bias


def of_channels(x, weight, bias):
    mean = x.mean(dim=(0, 2, 3))
    var = x.var(dim=(0, 2, 3), unbiased=False)
    x = (x - mean[None, :, None, None]) / torch.sqrt(var[None, :, None, None] + 1e-5)
    return weight[None, :, None, None] * x + bias[None, :, None, None]


def of_squares(x, weight):
    square = (x**2).sum(-1, keepdim=True) / x.shape[-1]
    return weight * (x * (square + 1e-6) ** -0.5)


def cases(rng):
    def T(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32, requires_grad=True)

    for n in (2, 5):
        yield "Norm(7)", (T(n, 7),), {}
        yield "of_channels", (T(n, 3, 4, 5), T(3), T(3)), {}
        yield "of_squares", (T(n, 7), T(7)), {}
