# expect: ASC109 safe scope=SpatialAttention.forward
# Scores are (key, query): the softmax runs over the first of the two axes.
import torch
from torch import nn


class SpatialAttention(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.f = nn.Conv2d(channels, channels // 2, 1)
        self.g = nn.Conv2d(channels, channels // 2, 1)
        self.h = nn.Conv2d(channels, channels, 1)
        self.gamma = nn.Parameter(torch.ones(1))

    def forward(self, x):
        B, C, H, W = x.shape
        f = self.f(x).flatten(2)
        g = self.g(x).flatten(2)
        h = self.h(x).flatten(2)
        s = torch.bmm(f.transpose(1, 2), g)
        beta = torch.softmax(s, dim=1)
        o = torch.bmm(h, beta).view(B, C, H, W)
        return x + self.gamma * o


def cases(rng):
    x = torch.tensor(rng.standard_normal((2, 4, 3, 5)), dtype=torch.float32, requires_grad=True)
    yield "SpatialAttention(4)", (x,), {}
