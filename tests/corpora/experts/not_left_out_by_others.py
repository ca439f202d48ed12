# refuse: SPA403 experts are left out that their own tokens chose
# may: RED506 unsafe scope=Mixture.forward
import torch
from torch import nn


class Mixture(nn.Module):
    def __init__(self, d=6, n=4, k=2):
        super().__init__()
        self.k, self.n = k, n
        self.gate = nn.Linear(d, n)
        self.gate2 = nn.Linear(d, n)
        self.experts = nn.ModuleList([nn.Linear(d, d) for _ in range(n)])

    def forward(self, x):
        w, ids = self.gate(x).softmax(-1).topk(self.k)
        w2, other = self.gate2(x).softmax(-1).topk(1)
        y = torch.zeros_like(x)
        for i in range(self.n):
            seen, _ = torch.where(other == i)
            if seen.numel() == 0:
                continue
            idx, top = torch.where(ids == i)
            y.index_add_(0, idx, self.experts[i](x[idx]) * w[idx, top, None])
        return y


def tokens(rng, shape):
    return (torch.tensor(rng.standard_normal(shape)).float().requires_grad_(),)


def cases(rng):
    yield "Mixture()", tokens(rng, (9, 6)), {}
    yield "Mixture()", tokens(rng, (1, 6)), {}
