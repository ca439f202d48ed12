# expect: ASC108 unsafe scope=Norm.forward
# torch keeps what its layer norm is given, which the caller of a layer changes in place
import torch
from torch import nn


class Norm(nn.Module):
    def forward(self, x):
        mean = x.mean(-1, keepdim=True)
        var = ((x - mean) ** 2).mean(-1, keepdim=True)
        return (x - mean) / torch.sqrt(var + 1e-5)


class Normed(nn.Module):
    def __init__(self, layer):
        super().__init__()
        self.norm = Norm()
        self.layer = layer

    def forward(self, x):
        return self.layer(self.norm(x))


class Block(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.mix = Normed(nn.Linear(size, size))

    def forward(self, x):
        h = x * 1
        h += self.mix(h)
        return h


def cases(rng):
    x = torch.tensor(rng.standard_normal((2, 5))).float().requires_grad_()
    yield "Block(5)", (x,), {}
