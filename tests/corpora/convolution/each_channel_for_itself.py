# expect: LOC303 safe scope=Depthwise.forward
import torch
import torch.nn.functional as F
from torch import nn


class Depthwise(nn.Module):
    def __init__(self, channels, size):
        super().__init__()
        self.taps = nn.Parameter(torch.randn(channels, size, size))

    def forward(self, x: torch.Tensor):
        n, channels, h, w = x.shape
        k = self.taps.shape[-1]
        x = F.pad(x, (0, 0, 0, 0))
        out = torch.zeros(n, channels, h - k + 1, w - k + 1)
        for i in range(k):
            for j in range(k):
                tap = self.taps[:, i, j].view(1, channels, 1, 1)
                out += x[:, :, i : i + h - k + 1, j : j + w - k + 1] * tap
        return out


def cases(rng):
    yield "Depthwise(3, 3)", (torch.randn(2, 3, 6, 5, requires_grad=True),), {}
    yield "Depthwise(1, 1)", (torch.randn(1, 1, 1, 2, requires_grad=True),), {}
