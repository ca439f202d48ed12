# expect: SPA403 safe scope=Put.forward
# expect: SPA403 safe scope=Weighted.forward
# expect: SPA403 safe scope=Added.forward
import torch
from torch import nn


class Put(nn.Module):
    def __init__(self, d=4, n=3):
        super().__init__()
        self.gate = nn.Linear(d, n)
        self.experts = nn.ModuleList([nn.Linear(d, d) for _ in range(n)])

    def forward(self, x):
        which = self.gate(x).argmax(-1)
        out = torch.zeros_like(x)
        for e, expert in enumerate(self.experts):
            mask = which == e
            out[mask] = expert(x[mask])
        return out


class Weighted(nn.Module):
    def __init__(self, d=4, n=3):
        super().__init__()
        self.gate = nn.Linear(d, n)
        self.experts = nn.ModuleList([nn.Linear(d, d) for _ in range(n)])

    def forward(self, x):
        best, which = self.gate(x).softmax(-1).max(dim=-1)
        out = torch.zeros_like(x)
        for e in range(len(self.experts)):
            mask = which == e
            if mask.any():
                out[mask] = best[mask].unsqueeze(-1) * self.experts[e](x[mask])
        return out


class Added(nn.Module):
    def __init__(self, d=4, n=3):
        super().__init__()
        self.gate = nn.Linear(d, n)
        self.experts = nn.ModuleList([nn.Linear(d, d) for _ in range(n)])

    def forward(self, x):
        which = self.gate(x).argmax(dim=1)
        out = torch.zeros(x.shape[0], x.shape[1])
        for e, expert in enumerate(self.experts):
            out[which == e] += expert(x[which == e])
        return out


def cases(rng):
    for name in ("Put()", "Weighted()", "Added()"):
        for n in (7, 1):
            yield name, (torch.tensor(rng.standard_normal((n, 4))).float().requires_grad_(),), {}
    yield "Put()", (torch.tensor(rng.standard_normal((2, 5, 4))).float().requires_grad_(),), {}
