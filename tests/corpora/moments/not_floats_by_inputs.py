# refuse: ASC108 whole numbers are made
import torch
from torch import nn


class Model(nn.Module):
    def forward(self, x):
        ms = x.pow(2).sum(-1, keepdim=True) / x.shape[-1]
        return x * torch.rsqrt(ms + 1e-6)


def get_inputs():
    return [torch.randint(0, 9, (2, 3, 8))]


def cases(rng):
    yield "Model()", (torch.randint(1, 9, (2, 3, 8)),), {}
