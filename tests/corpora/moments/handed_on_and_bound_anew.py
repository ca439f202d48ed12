# expect: ASC108 safe scope=Norm.forward
# What is changed in place is what the norm gave, under the name of what it was given.
import torch
from torch import nn


class Norm(nn.Module):
    def forward(self, x):
        mean = x.mean(-1, keepdim=True)
        var = ((x - mean) ** 2).mean(-1, keepdim=True)
        return (x - mean) / torch.sqrt(var + 1e-5)


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = Norm()

    def forward(self, x):
        residual = x
        x = torch.tanh(x)
        x = self.norm(x)
        x *= 2
        x += residual
        return x


def cases(rng):
    x = torch.tensor(rng.standard_normal((2, 5))).float().requires_grad_()
    yield "Block()", (x,), {}
