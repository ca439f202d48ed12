# expect: ASC108 safe scope=Model.forward
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(dim))

    def forward(self, x):
        ms = x.pow(2).sum(-1, keepdim=True) / x.shape[-1]
        return x * torch.rsqrt(ms + 1e-6) * self.weight


def get_inputs():
    return [torch.randn(2, 3, 8)]


def cases(rng):
    yield "Model(8)", (torch.randn(2, 3, 8, requires_grad=True),), {}
    yield "Model(1)", (torch.randn(1, 1, 1, requires_grad=True),), {}
