# expect: ASC113 unsafe scope=Block.forward
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("basis", torch.randn(32, 32))
        self.register_buffer("frame", torch.randn(32, 32))

    def forward(self, x):
        rotation = self.basis @ self.frame
        return x @ rotation


def cases(rng):
    yield "Block().eval()", (torch.randn(3, 32),), {}
    yield "Block()", (torch.randn(1, 32, requires_grad=True),), {}
