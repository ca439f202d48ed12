# expect: ASC109 safe scope=SelfAttention.forward
# expect: ASC109 safe scope=plain
import torch
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.size = width // heads
        self.width = width
        self.out = nn.Linear(width, width)

    def forward(self, v, k, q, mask=None):
        n = q.shape[0]
        keys, queries = k.shape[1], q.shape[1]
        v = v.reshape(n, v.shape[1], self.heads, self.size)
        k = k.reshape(n, keys, self.heads, self.size)
        q = q.reshape(n, queries, self.heads, self.size)
        energy = torch.einsum("bqhd,bkhd->bhqk", [q, k])
        if mask is not None:
            energy = energy.masked_fill(mask == 0, float("-1e20"))
        weights = torch.softmax(energy / self.width ** (1 / 2), dim=3)
        read = torch.einsum("bhql,blhd->bqhd", [weights, v])
        return self.out(read.reshape(n, queries, self.heads * self.size))


def plain(q, k, v, heads: int):
    b, m, width = q.shape
    q = q.view(b, m, heads, width // heads)
    k = k.view(b, k.shape[1], heads, width // heads)
    v = v.view(b, v.shape[1], heads, width // heads)
    weights = torch.einsum("bqhd,bkhd->bhqk", q, k).softmax(-1)
    return torch.einsum("bhqk,bkhd->bqhd", weights, v)


def cases(rng):
    q, k, v = (torch.randn(2, n, 12, requires_grad=True) for n in (5, 7, 7))
    mask = torch.ones(2, 1, 5, 7)
    mask[:, :, :, 4:] = 0
    yield "SelfAttention(12, 3)", (v, k, q), {}
    yield "SelfAttention(12, 3)", (v, k, q, mask), {}
    yield "plain", (q, k, v, 4), {}
