# expect: LOC309 safe scope=Dilated.forward
import torch
from torch import nn


class Dilated(nn.Module):
    def __init__(self, dim: int, width: int, dilation: int = 2):
        super().__init__()
        self.dim, self.width, self.dilation = dim, width, dilation
        self.weight = nn.Parameter(torch.randn(width, dim))

    def forward(self, h):
        n, seq, _ = h.shape
        reach = (self.width - 1) * self.dilation
        before = torch.zeros(n, reach, self.dim, dtype=h.dtype, device=h.device)
        padded = torch.cat((before, h), 1)
        out = torch.zeros_like(h)
        for tap in range(self.width):
            start = tap * self.dilation
            out = out + padded[:, start : start + seq] * self.weight[tap]
        return out


def cases(rng):
    g = lambda *s: torch.from_numpy(rng.standard_normal(s)).float().requires_grad_()
    yield "Dilated(3, 4)", (g(2, 7, 3),), {}
    yield "Dilated(3, 4, 1)", (g(2, 1, 3),), {}
    yield "Dilated(1, 1)", (g(2, 5, 1),), {}
