# refuse: SPA403 a list of layers that a function fills may hold a batch norm
import torch
from torch import nn


def deep(sizes, norm):
    layers = []
    for before, after in zip(sizes[:-1], sizes[1:]):
        layers.append(nn.Linear(before, after))
        if norm:
            layers.append(nn.BatchNorm1d(after))
    return nn.Sequential(*layers)


class Mixture(nn.Module):
    def __init__(self, size=6, count=4):
        super().__init__()
        self.gate = nn.Linear(size, count)
        self.experts = nn.ModuleList(deep([size, 8, size], True) for _ in range(count))

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
