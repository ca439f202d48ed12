# expect: ASC113 unsafe scope=Block.forward
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.Linear(32, 96, bias=False)
        self.down = nn.Linear(96, 16)

    def forward(self, x):
        h = self.up(x)
        return self.down(h)


def cases(rng):
    yield "Block().eval()", (torch.randn(3, 32),), {}
    yield "Block()", (torch.randn(1, 32, requires_grad=True),), {}
