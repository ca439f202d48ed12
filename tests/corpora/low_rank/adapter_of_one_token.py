# expect: SEP202 safe scope=Adapted.forward
# may: ASC113 unsafe scope=Adapted.forward

import torch
import torch.nn as nn


class Adapted(nn.Module):
    def __init__(self, width, out, rank, alpha=8):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(out, width))
        self.down = nn.Parameter(torch.randn(rank, width))
        self.up = nn.Parameter(torch.randn(out, rank))
        self.scale = alpha / rank

    def forward(self, token: torch.Tensor):
        (width,) = token.shape
        delta = self.up @ self.down
        merged = self.weight + delta * self.scale
        return torch.relu(merged @ token)


def cases(rng):
    import torch

    yield "Adapted(6, 5, 2)", (torch.randn(6, requires_grad=True),), {}
    yield "Adapted(3, 4, 1)", (torch.randn(3),), {}
