# expect: RED509 safe scope=Gemm.forward
# expect: RED509 safe scope=Head.forward
# expect: RED509 safe scope=halved
# expect: RED509 safe scope=averaged
import numpy as np
import torch
from torch import nn


class Gemm(nn.Module):
    def __init__(self, inputs, outputs, factor):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(outputs, inputs))
        self.factor = factor

    def forward(self, x):
        rows, width = x.shape
        x = torch.matmul(x, self.weight.T)
        x = x / 2
        x = torch.sum(x, dim=1, keepdim=True)
        x = x * self.factor
        return x


class Head(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.w = nn.Parameter(torch.randn(inputs, outputs))
        self.b = nn.Parameter(torch.randn(outputs))

    def forward(self, x):
        y = x @ self.w + self.b
        return 2 * y.sum(dim=-1)


def halved(x, w: torch.Tensor):
    b, t, k = x.shape
    k, m = w.shape
    return torch.mean(torch.matmul(x, w) * 0.5 - 1, dim=2, keepdim=True)


def averaged(x: np.ndarray, w: np.ndarray):
    n, d = x.shape
    d, m = w.shape
    b = np.ones(m)
    z = x @ w + b
    return z.mean(axis=0)


def cases(rng):
    for rows in (3, 1):
        yield "Gemm(5, 4, 1.5)", (torch.randn(rows, 5, requires_grad=True),), {}
        yield "Head(5, 4)", (torch.randn(rows, 5, requires_grad=True),), {}
        yield "averaged", (rng.normal(size=(rows, 3)), rng.normal(size=(3, 2))), {}
    yield "Head(5, 4)", (torch.randn(2, 3, 5, requires_grad=True),), {}
    yield "Head(5, 4)", (torch.randn(5, requires_grad=True),), {}
    x, w = torch.randn(2, 3, 5, requires_grad=True), torch.randn(5, 4, requires_grad=True)
    yield "halved", (x, w), {}
