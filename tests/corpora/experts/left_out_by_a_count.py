# expect: SPA403 safe scope=Mixture.forward
import torch
from torch import nn


class Mixture(nn.Module):
    def __init__(self, d=6, n=4, k=2):
        super().__init__()
        self.k, self.n = k, n
        self.gate = nn.Linear(d, n)
        self.experts = nn.ModuleList([nn.Linear(d, d) for _ in range(self.n)])

    def forward(self, x):
        w, ids = torch.topk(self.gate(x).softmax(-1), self.k, dim=-1)
        y = torch.zeros_like(x)
        counts = ids.reshape(-1).bincount(minlength=self.n)
        for i, expert in enumerate(self.experts):
            if counts[i] > 0:
                idx, top = torch.where(ids == i)
                y[idx] += expert(x[idx]) * w[idx, top, None]
        return y


def tokens(rng, shape):
    return (torch.tensor(rng.standard_normal(shape)).float().requires_grad_(),)


def cases(rng):
    yield "Mixture()", tokens(rng, (9, 6)), {}
    yield "Mixture()", tokens(rng, (1, 6)), {}
