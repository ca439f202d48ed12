# refuse: SPA404 the sums are used besides, along another axis, or the query is inside of them
"""Cumulative sums of outer products that are no causal linear attention."""

from __future__ import annotations

import torch
from torch import nn


class Base(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.qkv = nn.Linear(width, 3 * width)


class Kept(Base):
    def forward(self, x):
        b, n, c = x.shape
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        memory = (k.unsqueeze(-1) * v.unsqueeze(-2)).cumsum(1)
        return (q.unsqueeze(-1) * memory).sum(-2), memory[:, -1]


class AlongChannels(Base):
    def forward(self, x):
        b, n, c = x.shape
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        memory = (k.unsqueeze(-1) * v.unsqueeze(-2)).cumsum(2)
        return (q.unsqueeze(-1) * memory).sum(-2)


class Within(Base):
    def forward(self, x):
        b, n, c = x.shape
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        memory = (q.unsqueeze(-1) * k.unsqueeze(-1) * v.unsqueeze(-2)).cumsum(1)
        return memory.sum(-2)


class Bounded(Base):
    def forward(self, x):
        b, n, c = x.shape
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        memory = torch.tanh((k.unsqueeze(-1) * v.unsqueeze(-2)).cumsum(1))
        return (q.unsqueeze(-1) * memory).sum(-2)


class Products(Base):
    def forward(self, x):
        b, n, c = x.shape
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        memory = (k.unsqueeze(-1) * v.unsqueeze(-2)).cumprod(1)
        return (q.unsqueeze(-1) * memory).sum(-2)


def cases(rng):
    for length in (1, 5):
        x = torch.from_numpy(rng.standard_normal((2, length, 4)).astype("float32"))
        for name in ("Kept", "AlongChannels", "Within", "Bounded", "Products"):
            yield f"{name}(4)", (x.clone().requires_grad_(),), {}
