# expect: ASC101 unsafe scope=Filter.forward
# expect: ASC101 unsafe scope=Mixed.forward
# expect: ASC105 unsafe scope=added
# expect: ASC101 safe scope=sized
import torch
from torch import nn


class Filter(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.a = nn.Parameter(torch.rand(n))
        self.register_buffer("h", torch.zeros(n))

    def forward(self, x):
        h = self.h
        ys = []
        for t in range(x.shape[1]):
            h = self.a * h + x[:, t]
            ys.append(h)
        return torch.stack(ys, 1)


class Mixed(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.a = nn.Parameter(torch.rand(n))
        self.b = nn.Parameter(torch.rand(n))

    def forward(self, x):
        h = torch.zeros_like(x[:, 0])
        ys = []
        for t in range(x.shape[1]):
            h = self.a * h + self.b * x[:, t]
            ys.append(h)
        return torch.stack(ys, 1)


def added(x, n: int):
    h = torch.zeros(n)
    ys = []
    for t in range(x.shape[1]):
        h = h + x[:, t]
        ys.append(h)
    return torch.stack(ys, 1)


def sized(x, a):
    batch, length, n = x.shape
    h = torch.zeros(n)
    ys = []
    for t in range(length):
        h = 0.5 * h + x[:, t]
        ys.append(h)
    return torch.stack(ys, 1)


def cases(rng):
    for shape in ((2, 4, 3), (2, 1, 3), (2, 3, 3)):
        x = torch.tensor(rng.standard_normal(shape), dtype=torch.float32, requires_grad=True)
        yield "Filter(3)", (x,), {}
        yield "Mixed(3)", (x,), {}
        yield "added", (x, 3), {}
        yield "sized", (x, None), {}
