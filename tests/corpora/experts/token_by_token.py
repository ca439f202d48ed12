# expect: SPA403 safe scope=Places.forward
# expect: SPA403 safe scope=Best.forward
# expect: SPA403 safe scope=Rows.forward
import torch
from torch import nn


def mlp(d, h):
    return nn.Sequential(nn.Linear(d, h), nn.ReLU(), nn.Linear(h, d))


class Places(nn.Module):
    def __init__(self, d=6, n=4, k=2):
        super().__init__()
        self.k = k
        self.router = nn.Linear(d, n)
        self.experts = nn.ModuleList([mlp(d, 5) for _ in range(n)])

    def forward(self, x):
        scores = self.router(x)
        vals, idxs = scores.topk(self.k, dim=-1)
        vals = vals.softmax(-1)
        out = torch.zeros_like(x)
        for t in range(x.shape[0]):
            for j in range(self.k):
                expert = self.experts[idxs[t, j]]
                out[t] += vals[t, j] * expert(x[t])
        return out


class Best(nn.Module):
    def __init__(self, d=6, n=4):
        super().__init__()
        self.router = nn.Linear(d, n)
        self.experts = nn.ModuleList([mlp(d, 5) for _ in range(n)])

    def forward(self, x):
        n, d = x.shape
        p, best = self.router(x).softmax(-1).max(dim=-1)
        out = torch.zeros(n, d)
        for i in range(n):
            e = best[i].item()
            out[i] = p[i] * self.experts[e](x[i])
        return out


class Rows(nn.Module):
    def __init__(self, d=6, n=4):
        super().__init__()
        self.router = nn.Linear(d, n)
        self.experts = nn.ModuleList([mlp(d, 5) for _ in range(n)])

    def forward(self, x):
        w, ids = torch.topk(self.router(x).softmax(-1), 2, dim=-1)
        y = torch.zeros_like(x)
        for i in range(len(x)):
            row = x[i]
            for j in range(2):
                e = int(ids[i][j])
                y[i] += self.experts[e](row) * w[i][j]
        return y


def tokens(rng, shape):
    return (torch.tensor(rng.standard_normal(shape)).float().requires_grad_(),)


def cases(rng):
    yield "Places()", tokens(rng, (7, 6)), {}
    yield "Places()", tokens(rng, (1, 6)), {}
    yield "Best()", tokens(rng, (7, 6)), {}
    yield "Best()", tokens(rng, (1, 6)), {}
    yield "Rows()", tokens(rng, (7, 6)), {}
    yield "Rows()", tokens(rng, (1, 6)), {}
