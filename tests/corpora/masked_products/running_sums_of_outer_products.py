# expect: SPA404 safe scope=Causal.forward
# expect: SPA404 safe scope=OfFeatures.forward
# expect: SPA404 unsafe scope=attend
"""Causal linear attention as a cumulative sum of outer products."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import nn


class Causal(nn.Module):
    def __init__(self, width: int, heads: int):
        super().__init__()
        self.heads = heads
        self.q = nn.Linear(width, width)
        self.k = nn.Linear(width, width)
        self.v = nn.Linear(width, width)

    def forward(self, x):
        b, n, d = x.shape
        q = self.q(x).view(b, n, self.heads, -1).transpose(1, 2)
        k = self.k(x).view(b, n, self.heads, -1).transpose(1, 2).softmax(-1)
        v = self.v(x).view(b, n, self.heads, -1).transpose(1, 2)
        memory = torch.cumsum(torch.einsum("bhnd,bhne->bhnde", k, v), dim=2)
        return torch.einsum("bhnd,bhnde->bhne", q, memory)


class OfFeatures(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.qkv = nn.Linear(width, 3 * width)

    def forward(self, x):
        b, n, c = x.shape
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        q, k = F.elu(q) + 1, F.elu(k) + 1
        memory = (k.unsqueeze(-1) * v.unsqueeze(-2)).cumsum(1)
        return (q.unsqueeze(-1) * memory).sum(-2)


def attend(q, k, v):
    memory = torch.einsum("bld,ble->blde", k, v).cumsum(1)
    return torch.einsum("bld,blde->ble", q, memory)


def cases(rng):
    def tensor(*shape):
        return torch.from_numpy(rng.standard_normal(shape).astype("float32")).requires_grad_()

    for length in (1, 5, 70):
        x = tensor(2, length, 4)
        yield "Causal(4, 2)", (x,), {}
        yield "OfFeatures(4)", (x,), {}
        yield "attend", (x, tensor(2, length, 4), tensor(2, length, 3)), {}
    yield "attend", (tensor(2, 1, 4), tensor(2, 5, 4), tensor(2, 5, 3)), {}
