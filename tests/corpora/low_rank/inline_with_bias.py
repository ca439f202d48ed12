# expect: SEP202 advice scope=Adapter.forward

import torch
import torch.nn as nn


class Adapter(nn.Module):
    def __init__(self, inner, outer, rank):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(outer, inner))
        self.bias = nn.Parameter(torch.randn(outer))
        self.lora_a = nn.Parameter(torch.randn(rank, inner))
        self.lora_b = nn.Parameter(torch.randn(outer, rank))

    def forward(self, x):
        return x @ (self.weight + self.lora_b @ self.lora_a).T + self.bias


def cases(rng):
    import torch

    yield "Adapter(4, 6, 2)", (torch.randn(3, 4, requires_grad=True),), {}
    yield "Adapter(4, 6, 2)", (torch.randn(2, 3, 4),), {}
