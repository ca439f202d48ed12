# refuse: SPA404 the factor has other entries than those of a triangle or of blocks
import torch
import torch.nn as nn


class Filled(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.w = nn.Parameter(torch.randn(n, n))

    def forward(self, x):
        return (torch.tril(self.w) + 1) @ x


class Data(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.w = nn.Parameter(torch.randn(n, n))

    def forward(self, x):
        return (self.w * (self.w > 0)) @ torch.tril(x)[:, :2]


def cases(rng):
    yield "Filled(5)", (torch.randn(5, 3),), {}
    yield "Data(5)", (torch.randn(5, 5),), {}
