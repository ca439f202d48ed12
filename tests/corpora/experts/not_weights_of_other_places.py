# refuse: SPA403 the weights are those of other places
# may: RED506 unsafe scope=Mixture.forward
import torch
from torch import nn


def mlp(d, h):
    return nn.Sequential(nn.Linear(d, h), nn.ReLU(), nn.Linear(h, d))


class Mixture(nn.Module):
    def __init__(self, d=6, n=4):
        super().__init__()
        self.router = nn.Linear(d, n)
        self.experts = nn.ModuleList([mlp(d, 5) for _ in range(n)])

    def forward(self, x):
        w, ids = torch.topk(self.router(x).softmax(-1), 2, dim=-1)
        v, other = torch.topk(self.router(x).sigmoid(), 2, dim=-1)
        y = torch.zeros_like(x)
        for i in range(len(x)):
            for j in range(2):
                y[i] += self.experts[int(other[i, j])](x[i]) * w[i, j]
        return y


def tokens(rng, shape):
    return (torch.tensor(rng.standard_normal(shape)).float().requires_grad_(),)


def cases(rng):
    yield "Mixture()", tokens(rng, (7, 6)), {}
    yield "Mixture()", tokens(rng, (1, 6)), {}
