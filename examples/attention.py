"""Attention written out: every query is compared with every key.

The scores of a query over all keys become weights by a softmax; the answer is the weighted mean
of the values. The causal layer hides later positions from earlier ones.
"""

import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn


def attention(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """q, k, v: (batch, heads, length, dim)."""
    scores = torch.einsum("bhid,bhjd->bhij", q, k) / math.sqrt(q.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    return torch.einsum("bhij,bhjd->bhid", weights, v)


class CausalSelfAttention(nn.Module):
    def __init__(self, width: int, heads: int, longest: int):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.register_buffer("visible", torch.tril(torch.ones(longest, longest)))

    def forward(self, x: Tensor) -> Tensor:
        batch, length, width = x.shape
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        q = q.view(batch, length, self.heads, width // self.heads).transpose(1, 2)
        k = k.view(batch, length, self.heads, width // self.heads).transpose(1, 2)
        v = v.view(batch, length, self.heads, width // self.heads).transpose(1, 2)

        scores = (q @ k.transpose(-2, -1)) / math.sqrt(q.size(-1))
        scores = scores.masked_fill(self.visible[:length, :length] == 0, float("-inf"))
        y = F.softmax(scores, dim=-1) @ v

        y = y.transpose(1, 2).reshape(batch, length, width)
        return self.out(y)


def attention_inputs(batch=1, heads=4, length=2048, dim=64):
    torch.manual_seed(0)
    return tuple(torch.randn(batch, heads, length, dim) for _ in range(3))


def CausalSelfAttention_forward_inputs(batch=1, length=2048, width=256, heads=4):
    torch.manual_seed(0)
    return CausalSelfAttention(width, heads, length), torch.randn(batch, length, width)


if __name__ == "__main__":
    y = attention(*attention_inputs())
    layer, x = CausalSelfAttention_forward_inputs()
    with torch.no_grad():
        z = layer(x)
    print(tuple(y.shape), tuple(z.shape), f"{y.abs().mean():.4f} {z.abs().mean():.4f}")
