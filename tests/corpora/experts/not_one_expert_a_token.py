# refuse: SPA403 the mask is that of something else, or what was there before shows through
import torch
import torch.nn as nn


class Through(nn.Module):
    """The first expert is never put over what was there."""

    def __init__(self, d, n):
        super().__init__()
        self.router = nn.Linear(d, n)
        self.experts = nn.ModuleList([nn.Linear(d, d) for _ in range(n)])

    def forward(self, x):
        choice = self.router(x).argmax(dim=-1)
        out = x
        for i, expert in enumerate(self.experts):
            out = torch.where((choice == i).unsqueeze(-1), expert(x) + out, out)
        return out


class Two(nn.Module):
    """Of two experts the last is left."""

    def __init__(self, d, n):
        super().__init__()
        self.router = nn.Linear(d, n)
        self.experts = nn.ModuleList([nn.Linear(d, d) for _ in range(n)])

    def forward(self, x):
        choice = self.router(x).topk(2, dim=-1).indices
        out = torch.zeros_like(x)
        for i, expert in enumerate(self.experts):
            out = torch.where((choice == i).any(-1, keepdim=True), expert(x), out)
        return out


class Least(nn.Module):
    """The best of the best is a weight, and no place of an expert."""

    def __init__(self, d, n):
        super().__init__()
        self.router = nn.Linear(d, n)
        self.experts = nn.ModuleList([nn.Linear(d, d) for _ in range(n)])

    def forward(self, x):
        weights, places = self.router(x).softmax(-1).topk(2, dim=-1)
        best, which = weights.max(dim=-1)
        out = torch.zeros_like(x)
        for i, expert in enumerate(self.experts):
            out = out + (which == i).unsqueeze(-1) * best.unsqueeze(-1) * expert(x)
        return out


class Squared(nn.Module):
    """The weight counts twice."""

    def __init__(self, d, n):
        super().__init__()
        self.router = nn.Linear(d, n)
        self.experts = nn.ModuleList([nn.Linear(d, d) for _ in range(n)])

    def forward(self, x):
        gate, choice = self.router(x).softmax(-1).max(dim=-1)
        out = torch.zeros_like(x)
        for i, expert in enumerate(self.experts):
            mask = (choice == i).unsqueeze(-1)
            out = out + mask * gate.unsqueeze(-1) * expert(x) * gate.unsqueeze(-1)
        return out


def cases(rng):
    for name in ("Through", "Two", "Least", "Squared"):
        yield f"{name}(4, 3)", (torch.randn(2, 5, 4, requires_grad=True),), {}
