# refuse: SPA403 another method puts a module of another kind in
import torch
from torch import nn


class Mixture(nn.Module):
    def __init__(self, size=6, count=4):
        super().__init__()
        self.size = size
        self.router = nn.Linear(size, count)
        self.experts = nn.ModuleList([nn.Linear(size, size) for _ in range(count)])
        self.change()

    def change(self):
        self.experts[0] = nn.BatchNorm1d(self.size)

    def forward(self, x):
        ids = self.router(x).argmax(-1)
        out = torch.zeros_like(x)
        for i, expert in enumerate(self.experts):
            out = out + (ids == i)[:, None] * expert(x)
        return out


def tokens(rng, shape):
    return (torch.tensor(rng.standard_normal(shape)).float().requires_grad_(),)


def cases(rng):
    yield "Mixture()", tokens(rng, (7, 6)), {}
