# expect: ASC109 safe scope=attend
# expect: ASC109 safe scope=scaled
# expect: ASC109 safe scope=Heads.forward
"""The scale is a number that NumPy computes, in functions that are about tensors otherwise."""

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


def attend(q, k, v):
    scores = torch.bmm(q, k.transpose(1, 2)) / np.power(k.size(2), 0.5)
    return torch.bmm(F.softmax(scores, 2), v)


def scaled(q, k, v):
    width = q.size(-1)
    scores = torch.matmul(q, k.transpose(-2, -1)) / np.sqrt(width)
    return torch.matmul(F.softmax(scores, dim=-1), v)


class Heads(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.size = dim // heads
        self.qkv = nn.Linear(dim, 3 * dim)

    def forward(self, x):
        b, t, _ = x.shape
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        q = q.view(b, t, self.heads, self.size).transpose(1, 2)
        k = k.view(b, t, self.heads, self.size).transpose(1, 2)
        v = v.view(b, t, self.heads, self.size).transpose(1, 2)
        weights = torch.softmax(q @ k.transpose(2, 3) / np.sqrt(self.size), dim=-1)
        return (weights @ v).transpose(1, 2).flatten(2)


def cases(rng):
    def T(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32, requires_grad=True)

    for n, m, d in [(5, 7, 3), (1, 2, 4)]:
        yield "attend", (T(2, n, d), T(2, m, d), T(2, m, 3)), {}
        yield "scaled", (T(2, n, d), T(2, m, d), T(2, m, 3)), {}
        yield "Heads(6, 2)", (T(2, n, 6),), {}
