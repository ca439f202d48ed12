# expect: SPA403 safe scope=Mixture.forward
import torch
import torch.nn.functional as F
from torch import nn


class Expert(nn.Module):
    def __init__(self, size, hidden):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(size, hidden), nn.GELU(), nn.Linear(hidden, size))

    def forward(self, x):
        return self.net(x)


class Mixture(nn.Module):
    def __init__(self, size=4, count=5, k=2):
        super().__init__()
        self.k = k
        self.router = nn.Linear(size, count)
        self.experts = nn.ModuleList([Expert(size, 6) for _ in range(count)])

    def forward(self, x):
        batch, length, size = x.shape
        flat = x.view(-1, size)
        weights, chosen = torch.topk(F.softmax(self.router(flat), dim=-1), self.k, dim=-1)
        out = torch.zeros_like(flat)
        for i, expert in enumerate(self.experts):
            mask = (chosen == i).any(dim=-1)
            if mask.any():
                given = expert(flat[mask])
                share = weights[chosen == i].unsqueeze(-1)
                out[mask] += share * given
        return out.view(batch, length, size)


def tokens(rng, shape):
    return (torch.tensor(rng.standard_normal(shape)).float().requires_grad_(),)


def cases(rng):
    yield "Mixture()", tokens(rng, (2, 3, 4)), {}
    yield "Mixture()", tokens(rng, (1, 1, 4)), {}
