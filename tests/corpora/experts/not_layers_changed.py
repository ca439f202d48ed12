# refuse: SPA403 the constructor changes the list
# The constructor walks the modules that it made, and changes a layer of each.
import torch
from torch import nn


class Mixture(nn.Module):
    def __init__(self, d, n, k):
        super().__init__()
        self.k = k
        self.router = nn.Linear(d, n)
        self.experts = nn.ModuleList([nn.Sequential(nn.Linear(d, d), nn.GELU()) for _ in range(n)])
        for module in self.experts:
            module[1] = nn.Softmax(0)

    def forward(self, x):
        w, c = self.router(x).softmax(-1).topk(self.k, dim=-1)
        out = torch.zeros_like(x)
        for e, expert in enumerate(self.experts):
            out += (w * (c == e)).sum(-1, keepdim=True) * expert(x)
        return out


def f(x):
    torch.manual_seed(0)
    return Mixture(4, 5, 2)(x)


def cases(rng):
    yield "f", (torch.tensor(rng.standard_normal((3, 4)), dtype=torch.float32),), {}
