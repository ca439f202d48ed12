# expect: ASC108 safe scope=LayerNorm2d.forward
# expect: ASC108 safe scope=tokens
# expect: ASC108 safe scope=heads
# expect: ASC108 safe scope=viewed_before
"""Norms of permuted views, whose strides nothing depends on: copies, views of the result as it is,
views of what is bound anew."""

import torch
from torch import nn


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


def tokens(x: torch.Tensor, position: torch.Tensor):
    batch, channels = x.shape[:2]
    x = x.flatten(2).transpose(1, 2)
    mean = x.mean(-1, keepdim=True)
    var = x.var(-1, keepdim=True, unbiased=False)
    x = (x - mean) / torch.sqrt(var + 1e-5)
    x = x.transpose(1, 2).reshape(batch, -1, channels)
    return x + position


def heads(x: torch.Tensor):
    x = x.flatten(2).transpose(1, 2)
    mean = x.mean(-1, keepdim=True)
    var = x.var(-1, keepdim=True, unbiased=False)
    x = (x - mean) / torch.sqrt(var + 1e-5)
    return x.view(*x.shape[:2], 2, -1)


def viewed_before(x: torch.Tensor, weight: torch.Tensor):
    batch, channels, height, width = x.shape
    x = x.view(batch, channels, -1).transpose(1, 2)
    mean = x.mean(-1, keepdim=True)
    var = x.var(-1, keepdim=True, unbiased=False)
    x = (x - mean) / torch.sqrt(var + 1e-5)
    x = torch.matmul(x, weight)
    return x.view(batch, -1), x.transpose(1, 2).contiguous().view(batch, -1)


def cases(rng):
    for shape in ((2, 4, 3, 5), (1, 2, 1, 3)):
        x = torch.tensor(rng.standard_normal(shape), dtype=torch.float32)
        yield "LayerNorm2d(%d)" % shape[1], (x,), {}
        yield "tokens", (x, torch.ones(shape[1])), {}
        yield "heads", (x,), {}
        yield "viewed_before", (x, torch.eye(shape[1])), {}
