# expect: ASC109 safe scope=Block.forward
import torch
from torch import nn


class Norm(nn.Module):
    """Over the channels, which are the axis before the places."""

    def forward(self, x):
        return x / torch.sqrt((x**2).mean(dim=1, keepdim=True) + 1e-6)


class Block(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.norm = Norm()
        self.q = nn.Conv2d(channels, channels, 1)
        self.k = nn.Conv2d(channels, channels, 1)
        self.v = nn.Conv2d(channels, channels, 1)

    def forward(self, x):
        h = self.norm(x)
        q, k, v = self.q(h), self.k(h), self.v(h)
        b, c, height, width = q.shape
        q = q.reshape(b, c, height * width).permute(0, 2, 1)
        k = k.reshape(b, c, height * width)
        weights = torch.softmax(torch.bmm(q, k) * c**-0.5, dim=2)
        v = v.reshape(b, c, height * width).permute(0, 2, 1)
        return torch.bmm(weights, v)


def cases(rng):
    make = lambda *shape: torch.tensor(rng.normal(size=shape), dtype=torch.float32)
    yield "Block(4)", (make(2, 4, 3, 5).requires_grad_(),), {}
    yield "Block(2)", (make(1, 2, 1, 1).requires_grad_(),), {}
