# expect: ASC108 safe scope=LayerNorm.forward
import torch
from torch import nn


class LayerNorm(nn.Module):
    """Layer norm over channels, written out."""

    def __init__(self, dim, eps=1e-6):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(dim))
        self.bias = nn.Parameter(torch.zeros(dim))
        self.eps = eps

    def forward(self, x):
        u = x.mean(-1, keepdim=True)
        s = (x - u).pow(2).mean(-1, keepdim=True)
        x = (x - u) / torch.sqrt(s + self.eps)
        return self.weight * x + self.bias


def cases(rng):
    for shape in ((2, 5, 8), (1, 8), (3, 1, 2, 8)):
        x = torch.tensor(rng.standard_normal(shape), dtype=torch.float32, requires_grad=True)
        yield "LayerNorm(8)", (x,), {}
