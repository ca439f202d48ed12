# expect: ASC113 unsafe scope=Block.forward
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Parameter(torch.randn(32, 48) / 8)
        self.second = nn.Parameter(torch.randn(48, 24) / 8)

    def forward(self, x):
        weight = torch.mm(self.first, self.second)
        return x @ weight + 1


def cases(rng):
    yield "Block().eval()", (torch.randn(3, 32),), {}
    yield "Block()", (torch.randn(1, 32, requires_grad=True),), {}
