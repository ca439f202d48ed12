# expect: ASC108 unsafe scope=tokens
# expect: ASC108 unsafe scope=LayerNorm2d.forward
# expect: ASC108 unsafe scope=asked
"""Norms of permuted views whose result is viewed in the order of the array: elementwise code keeps
it, the operation does not."""

import torch
from torch import nn


def tokens(x: torch.Tensor):
    batch, channels, height, width = x.shape
    x = x.flatten(2).transpose(1, 2)
    mean = x.mean(-1, keepdim=True)
    var = x.var(-1, keepdim=True, unbiased=False)
    x = (x - mean) / torch.sqrt(var + 1e-5)
    return x.transpose(1, 2).view(batch, channels, height, width)


class LayerNorm2d(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(channels))
        self.bias = nn.Parameter(torch.zeros(channels))

    def forward(self, x):
        x = x.permute(0, 2, 3, 1)
        mean = x.mean(-1, keepdim=True)
        var = x.var(-1, keepdim=True, unbiased=False)
        x = self.weight * (x - mean) / torch.sqrt(var + 1e-6) + self.bias
        return x.permute(0, 3, 1, 2)


class Block(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.norm = LayerNorm2d(channels)

    def forward(self, x):
        return torch.relu(self.norm(x)).view(x.shape[0], -1)


def asked(x: torch.Tensor):
    turned = x.transpose(0, 1)
    mean = turned.mean(-1, keepdim=True)
    var = turned.var(-1, keepdim=True, unbiased=False)
    return ((turned - mean) / torch.sqrt(var + 1e-5)).stride()


def cases(rng):
    for shape in ((2, 3, 4, 5), (1, 2, 1, 3)):
        x = torch.tensor(rng.standard_normal(shape), dtype=torch.float32)
        yield "tokens", (x,), {}
        yield "Block(%d)" % shape[1], (x,), {}
        yield "asked", (x,), {}
