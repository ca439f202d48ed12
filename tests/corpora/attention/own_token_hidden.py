# expect: ASC109 safe scope=LSA.forward
import torch
from torch import nn


class LSA(nn.Module):
    def __init__(self, dim, heads=2):
        super().__init__()
        self.h = heads
        self.qkv = nn.Linear(dim, 3 * dim)

    def forward(self, x):
        b, n, d = x.shape
        q, k, v = self.qkv(x).chunk(3, -1)
        q, k, v = (t.reshape(b, n, self.h, -1).transpose(1, 2) for t in (q, k, v))
        dots = q @ k.transpose(-1, -2) * (d // self.h) ** -0.5
        mask = torch.eye(n, device=x.device, dtype=torch.bool)
        dots = dots.masked_fill(mask, -torch.finfo(dots.dtype).max)
        return (dots.softmax(-1) @ v).transpose(1, 2).reshape(b, n, d)


def cases(rng):
    yield "LSA(8)", (torch.randn(2, 5, 8, requires_grad=True),), {}
