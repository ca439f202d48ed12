# expect: SPA403 safe scope=Switch.forward
import torch
import torch.nn.functional as F
from torch import nn


class Expert(nn.Module):
    def __init__(self, dim: int, hidden: int):
        super().__init__()
        self.w1 = nn.Linear(dim, hidden, bias=False)
        self.w2 = nn.Linear(hidden, dim, bias=False)
        self.w3 = nn.Linear(dim, hidden, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        gated = F.silu(self.w1(x)) * self.w3(x)
        return self.w2(gated)


class Switch(nn.Module):
    def __init__(self, dim: int = 6, count: int = 4):
        super().__init__()
        self.count = count
        self.router = nn.Linear(dim, count)
        self.experts = nn.ModuleList([Expert(dim, 5) for _ in range(count)])

    def forward(self, x: torch.Tensor):
        probs = F.softmax(self.router(x), dim=-1)
        best = probs.argmax(dim=-1)
        gates = F.one_hot(best, self.count).to(x.dtype) * probs
        out = sum(gates[..., e, None] * expert(x) for e, expert in enumerate(self.experts))
        balance = (gates.mean(dim=0) * probs.mean(dim=0)).sum() * self.count
        return out, balance


def tokens(rng, shape):
    return (torch.tensor(rng.standard_normal(shape)).float().requires_grad_(),)


def cases(rng):
    yield "Switch()", tokens(rng, (7, 6)), {}
    yield "Switch()", tokens(rng, (2, 4, 6)), {}
    yield "Switch()", tokens(rng, (1, 6)), {}
