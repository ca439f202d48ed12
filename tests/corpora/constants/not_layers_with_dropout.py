# refuse: ASC113 dropout stands between the layers
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.Linear(32, 96)
        self.down = nn.Linear(96, 16)
        self.drop = nn.Dropout(0.1)

    def forward(self, x):
        return self.down(self.drop(self.up(x)))


def cases(rng):
    yield "Block().eval()", (torch.randn(3, 32),), {}
    yield "Block()", (torch.randn(1, 32, requires_grad=True),), {}
