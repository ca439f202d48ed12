# refuse: ASC113 a bottleneck is cheaper than the product
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Parameter(torch.randn(32, 4) / 8)
        self.second = nn.Parameter(torch.randn(4, 32) / 8)

    def forward(self, x):
        return x @ self.first @ self.second


def cases(rng):
    yield "Block().eval()", (torch.randn(3, 32),), {}
    yield "Block()", (torch.randn(1, 32, requires_grad=True),), {}
