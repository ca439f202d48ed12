# refuse: SPA403 the second time rows are put over what the first time left
import torch
from torch import nn


class Masks(nn.Module):
    def __init__(self, d=6, n=4):
        super().__init__()
        self.n = n
        self.router = nn.Linear(d, n)
        self.experts = nn.ModuleList([nn.Linear(d, d) for _ in range(n)])

    def forward(self, x):
        best = self.router(x).argmax(-1)
        out = torch.zeros_like(x)
        for rep in range(2):
            for e in range(self.n):
                m = best == e
                out[m] = self.experts[e](x[m])
        return out


class Tokens(nn.Module):
    def __init__(self, d=6, n=4):
        super().__init__()
        self.n = n
        self.router = nn.Linear(d, n)
        self.experts = nn.ModuleList([nn.Linear(d, d) for _ in range(n)])

    def forward(self, x):
        best = self.router(x).argmax(-1)
        out = torch.zeros_like(x)
        for rep in range(2):
            for t in range(len(x)):
                out[t] = self.experts[int(best[t])](x[t])
        return out


def tokens(rng, shape):
    return (torch.tensor(rng.standard_normal(shape)).float().requires_grad_(),)


def cases(rng):
    yield "Masks()", tokens(rng, (7, 6)), {}
    yield "Masks()", tokens(rng, (1, 6)), {}
    yield "Tokens()", tokens(rng, (7, 6)), {}
    yield "Tokens()", tokens(rng, (1, 6)), {}
