# refuse: SPA403 a layer that a function is given may be any
import torch
from torch import nn


def deep(size, last):
    layers = [nn.Linear(size, size), nn.ReLU()]
    layers.append(last)
    return nn.Sequential(*layers)


class Mixture(nn.Module):
    def __init__(self, size=6, count=4, last=None):
        super().__init__()
        self.gate = nn.Linear(size, count)
        last = last or nn.BatchNorm1d(size)
        self.experts = nn.ModuleList(deep(size, last) for _ in range(count))

    def forward(self, x):
        weights, chosen = self.gate(x).softmax(dim=-1).topk(2, dim=-1)
        out = torch.zeros_like(x)
        for e, each in enumerate(self.experts):
            out = out + (weights * (chosen == e)).sum(dim=-1, keepdim=True) * each(x)
        return out


def tokens(rng, shape):
    return (torch.tensor(rng.standard_normal(shape)).float().requires_grad_(),)


def cases(rng):
    yield "Mixture()", tokens(rng, (7, 6)), {}
