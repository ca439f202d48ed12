# expect: SPA403 safe scope=OfFunction.forward
# expect: SPA403 safe scope=OfMethod.forward
# expect: SPA403 safe scope=OfLayers.forward
import torch
from torch import nn


def expert(size, hidden):
    return nn.Sequential(nn.Linear(size, hidden), nn.ReLU(), nn.Linear(hidden, size))


class OfFunction(nn.Module):
    def __init__(self, size=6, count=4):
        super().__init__()
        self.gate = nn.Linear(size, count, bias=False)
        self.experts = nn.ModuleList([expert(size, 5) for _ in range(count)])

    def forward(self, x):
        logits = self.gate(x)
        best, places = torch.topk(logits, 2, dim=-1)
        full = torch.zeros_like(logits)
        full.scatter_(-1, places, best.softmax(dim=-1))
        out = 0
        for i, each in enumerate(self.experts):
            out = out + full[..., i : i + 1] * each(x)
        return out


class OfMethod(nn.Module):
    def __init__(self, size=6, count=4, wide=True):
        super().__init__()
        self.wide = wide
        self.gate = nn.Linear(size, count)
        self.experts = nn.ModuleList([self.make(size) for _ in range(count)])

    def make(self, size):
        if self.wide:
            return nn.Sequential(nn.Linear(size, 9), nn.GELU(), nn.Linear(9, size))
        return nn.Linear(size, size)

    def forward(self, x):
        best, chosen = self.gate(x).softmax(dim=-1).max(dim=-1, keepdim=True)
        out = torch.zeros_like(x)
        for e, each in enumerate(self.experts):
            out = torch.where(chosen == e, each(x), out)
        return best * out


def deep(sizes):
    layers = []
    for before, after in zip(sizes[:-1], sizes[1:]):
        layers.append(nn.Linear(before, after))
        layers += [nn.LayerNorm(after), nn.SiLU()]
    return nn.Sequential(*layers)


class OfLayers(nn.Module):
    def __init__(self, size=6, count=4):
        super().__init__()
        self.gate = nn.Linear(size, count)
        self.experts = nn.ModuleList(deep([size, 8, size]) for _ in range(count))

    def forward(self, x):
        weights, chosen = self.gate(x).softmax(dim=-1).topk(2, dim=-1)
        out = torch.zeros_like(x)
        for e, each in enumerate(self.experts):
            rows, places = torch.where(chosen == e)
            out.index_add_(0, rows, each(x[rows]) * weights[rows, places, None])
        return out


def tokens(rng, shape):
    return (torch.tensor(rng.standard_normal(shape)).float().requires_grad_(),)


def cases(rng):
    yield "OfFunction()", tokens(rng, (7, 6)), {}
    yield "OfFunction()", tokens(rng, (1, 6)), {}
    yield "OfMethod()", tokens(rng, (7, 6)), {}
    yield "OfMethod()", tokens(rng, (1, 6)), {}
    yield "OfLayers()", tokens(rng, (7, 6)), {}
    yield "OfLayers()", tokens(rng, (1, 6)), {}
