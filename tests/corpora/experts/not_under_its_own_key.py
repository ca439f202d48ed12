# refuse: SPA403 the module of a number has another number in its key
import torch
from torch import nn


class Mixture(nn.Module):
    def __init__(self, size=6, count=4):
        super().__init__()
        self.count = count
        self.router = nn.Linear(size, count)
        self.experts = nn.ModuleDict({f"e{i}": nn.Linear(size, size) for i in range(count)})

    def forward(self, x):
        ids = self.router(x).argmax(-1)
        out = torch.zeros_like(x)
        for i in range(self.count):
            mine = ids == i
            out[mine] = self.experts[f"e{self.count - 1 - i}"](x[mine])
        return out


def tokens(rng, shape):
    return (torch.tensor(rng.standard_normal(shape)).float().requires_grad_(),)


def cases(rng):
    yield "Mixture()", tokens(rng, (7, 6)), {}
    yield "Mixture()", tokens(rng, (1, 6)), {}
