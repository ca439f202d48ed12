# refuse: SPA403 a count that ends at the last expert that was chosen raises for the others
import torch
from torch import nn


class Mixture(nn.Module):
    def __init__(self, d=6, n=4, k=2):
        super().__init__()
        self.k, self.n = k, n
        self.gate = nn.Linear(d, n)
        self.experts = nn.ModuleList([nn.Linear(d, d) for _ in range(n)])

    def forward(self, x):
        w, ids = self.gate(x).softmax(-1).topk(self.k)
        y = torch.zeros_like(x)
        counts = torch.bincount(ids.flatten()).tolist()
        for i in range(self.n):
            if counts[i] == 0:
                continue
            idx, top = torch.where(ids == i)
            y[idx] += self.experts[i](x[idx]) * w[idx, top, None]
        return y


def tokens(rng, shape):
    return (torch.tensor(rng.standard_normal(shape)).float().requires_grad_(),)


def cases(rng):
    yield "Mixture()", tokens(rng, (60, 6)), {}
