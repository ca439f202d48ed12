# expect: ASC109 unsafe scope=Block.forward
import torch
from torch import nn


class Scaled(nn.Module):
    def forward(self, q):
        return q * 0.5


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.scaled = Scaled()

    def forward(self, q, k, v):
        weights = torch.softmax(self.scaled(q) @ k.transpose(-2, -1), dim=-1)
        return weights @ v


def cases(rng):
    make = lambda *shape: torch.tensor(rng.normal(size=shape), dtype=torch.float32)
    yield "Block()", (make(2, 4, 3), make(2, 5, 3), make(2, 5, 3)), {}
