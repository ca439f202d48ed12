# expect: LOC303 safe scope=Convolution.forward
import torch
from torch import nn


class Convolution(nn.Module):
    def __init__(self, channels, filters, size):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(filters, channels, size, size))

    def forward(self, x: torch.Tensor):
        b, c, h, w = x.shape
        o, _, p, q = self.weight.shape
        y = torch.zeros(b, o, (h - p) // 2 + 1, (w - q) // 2 + 1)
        for m in range(o):
            for i in range((h - p) // 2 + 1):
                for j in range((w - q) // 2 + 1):
                    part = x[:, :, 2 * i : 2 * i + p, 2 * j : 2 * j + q]
                    y[:, m, i, j] = (part * self.weight[m]).sum(dim=(1, 2, 3))
        return y


def cases(rng):
    yield "Convolution(3, 4, 3)", (torch.randn(2, 3, 8, 7, requires_grad=True),), {}
    yield "Convolution(1, 1, 2)", (torch.randn(1, 1, 2, 3, requires_grad=True),), {}
    yield "Convolution(2, 3, 4)", (torch.randn(1, 2, 3, 5),), {}
