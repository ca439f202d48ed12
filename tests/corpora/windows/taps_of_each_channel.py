# expect: LOC309 safe scope=ShiftConv.forward
import torch
import torch.nn.functional as F
from torch import nn


class ShiftConv(nn.Module):
    def __init__(self, d_model, d_conv=4):
        super().__init__()
        self.d_conv = d_conv
        self.kernel = nn.Parameter(torch.randn(d_model, d_conv))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, u):
        b, l, d = u.shape
        buf = torch.cat([u.new_zeros(b, self.d_conv - 1, d), u], dim=1)
        acc = 0
        for j in range(self.d_conv):
            acc = acc + buf[:, j : j + l, :] * self.kernel[:, j]
        return F.silu(acc + self.bias)


def cases(rng):
    g = lambda *s: torch.from_numpy(rng.standard_normal(s)).float().requires_grad_()
    yield "ShiftConv(3)", (g(2, 7, 3),), {}
    yield "ShiftConv(3)", (g(1, 1, 3),), {}
    yield "ShiftConv(5, 1)", (g(2, 5, 4).transpose(1, 2)[:, :, :5],), {}
