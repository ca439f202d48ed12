# expect: SPA403 safe scope=Mixed.forward
import torch
from torch import nn


class Mixed(nn.Module):
    def __init__(self, d=4, n=5):
        super().__init__()
        self.n = n
        self.to_gates = nn.Linear(d, n)
        self.norm = nn.LayerNorm(d)
        self.experts = nn.ModuleList([nn.Linear(d, d) for _ in range(n)])

    def forward(self, x):
        h = self.norm(x)
        probs = self.to_gates(h).softmax(-1)
        _, idx = probs.topk(2)
        mask = nn.functional.one_hot(idx, num_classes=self.n).sum(dim=-2)
        gates = probs * mask
        gates = gates / (gates.sum(-1, keepdim=True) + 1e-6)
        y = x.clone()
        for g, f in zip(gates.unbind(dim=-1), self.experts):
            y = y + g.unsqueeze(-1) * f(h)
        return y


def tokens(rng, shape):
    return (torch.tensor(rng.standard_normal(shape)).float().requires_grad_(),)


def cases(rng):
    yield "Mixed()", tokens(rng, (6, 4)), {}
    yield "Mixed()", tokens(rng, (2, 3, 4)), {}
    yield "Mixed()", tokens(rng, (1, 4)), {}
