# expect: SEP202 advice scope=Adapter.forward
# may: ASC113 unsafe scope=Adapter.forward

import torch
import torch.nn as nn
import torch.nn.functional as F


class Adapter(nn.Module):
    def __init__(self, inner, outer, rank):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(outer, inner))
        self.lora_a = nn.Parameter(torch.randn(rank, inner))
        self.lora_b = nn.Parameter(torch.randn(outer, rank))
        self.scaling = 1.0 / rank

    def forward(self, x):
        w = self.weight + (self.lora_b @ self.lora_a) * self.scaling
        return F.linear(x, w)


def cases(rng):
    import torch

    yield "Adapter(4, 6, 2)", (torch.randn(3, 4, requires_grad=True),), {}
    yield "Adapter(4, 6, 2)", (torch.randn(2, 3, 4),), {}
