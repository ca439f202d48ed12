# refuse: SPA403 several experts a token, the last of which is kept; values that are put over others
import torch
from torch import nn


class Several(nn.Module):
    def __init__(self, d=4, n=3):
        super().__init__()
        self.gate = nn.Linear(d, n)
        self.experts = nn.ModuleList([nn.Linear(d, d) for _ in range(n)])

    def forward(self, x):
        top, which = self.gate(x).topk(2, -1)
        out = torch.zeros_like(x)
        for e, expert in enumerate(self.experts):
            mask = (which == e).any(-1)
            out[mask] = expert(x[mask])
        return out


class LastOfSeveral(nn.Module):
    def __init__(self, d=4, n=3):
        super().__init__()
        self.gate = nn.Linear(d, n)
        self.experts = nn.ModuleList([nn.Linear(d, d) for _ in range(n)])

    def forward(self, x):
        top, which = self.gate(x).topk(2, -1)
        out = torch.zeros_like(x)
        for e, expert in enumerate(self.experts):
            rows, place = torch.where(which == e)
            out[rows] = top[rows, place, None] * expert(x[rows])
        return out


class Copied(nn.Module):
    def __init__(self, d=4, n=3):
        super().__init__()
        self.gate = nn.Linear(d, n)
        self.experts = nn.ModuleList([nn.Linear(d, d) for _ in range(n - 1)])

    def forward(self, x):
        which = self.gate(x).argmax(-1)
        out = x.clone()
        for e, expert in enumerate(self.experts):
            mask = which == e
            out[mask] = expert(x[mask])
        return out


class InPlace(nn.Module):
    def __init__(self, d=4, n=3):
        super().__init__()
        self.gate = nn.Linear(d, n)
        self.experts = nn.ModuleList([nn.Linear(d, d) for _ in range(n)])

    def forward(self, x):
        which = self.gate(x).argmax(-1)
        x = x * 1
        for e, expert in enumerate(self.experts):
            mask = which == e
            x[mask] = expert(x[mask])
        return x


def cases(rng):
    for name in ("Several()", "LastOfSeveral()", "Copied()", "InPlace()"):
        yield name, (torch.tensor(rng.standard_normal((7, 4))).float().requires_grad_(),), {}
