# expect: LOC304 safe scope=Local.forward
import torch
import torch.nn.functional as F
from torch import nn


class Local(nn.Module):
    def __init__(self, width, window=6, longest=256):
        super().__init__()
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.window = window
        mask = torch.ones(longest, longest).tril().triu(-window)
        self.register_buffer("mask", mask)

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = self.qkv(x).split(C, dim=2)
        att = (q @ k.transpose(-2, -1)) * C**-0.5
        att = att.masked_fill(self.mask[:T, :T] == 0, float("-inf"))
        return self.out(F.softmax(att, dim=-1) @ v)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32).requires_grad_()
    for length in (1, 2, 11, 200):
        yield "Local(8)", (draw(2, length, 8),), {}
