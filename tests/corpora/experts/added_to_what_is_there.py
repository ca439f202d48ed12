# expect: SPA403 safe scope=Residual.forward
# expect: SPA403 safe scope=Rounds.forward
import torch
from torch import nn


class Residual(nn.Module):
    def __init__(self, size=6, count=4):
        super().__init__()
        self.router = nn.Linear(size, count)
        self.experts = nn.ModuleList([nn.Linear(size, size) for _ in range(count)])

    def forward(self, x):
        weights, chosen = self.router(x).softmax(dim=-1).topk(2, dim=-1)
        out = x * 0.5
        for e, expert in enumerate(self.experts):
            rows, places = torch.where(chosen == e)
            out.index_add_(0, rows, expert(x[rows]) * weights[rows, places, None])
        return out


class Rounds(nn.Module):
    def __init__(self, size=6, count=4):
        super().__init__()
        self.router = nn.Linear(size, count)
        self.experts = nn.ModuleList([nn.Linear(size, size) for _ in range(count)])

    def forward(self, x):
        weights, chosen = self.router(x).softmax(dim=-1).topk(2, dim=-1)
        out = torch.zeros_like(x)
        for _ in range(2):
            for e, expert in enumerate(self.experts):
                rows, places = torch.where(chosen == e)
                out.index_add_(0, rows, expert(x[rows]) * weights[rows, places, None])
        return out


def tokens(rng, shape):
    return (torch.tensor(rng.standard_normal(shape)).float().requires_grad_(),)


def cases(rng):
    yield "Residual()", tokens(rng, (7, 6)), {}
    yield "Residual()", tokens(rng, (1, 6)), {}
    yield "Rounds()", tokens(rng, (7, 6)), {}
    yield "Rounds()", tokens(rng, (1, 6)), {}
