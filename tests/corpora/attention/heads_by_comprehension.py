# expect: ASC109 safe scope=MultiHeadedAttention.forward
# expect: ASC109 safe scope=one_key_head
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class MultiHeadedAttention(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.h = h
        self.dk = d // h
        self.linears = nn.ModuleList([nn.Linear(d, d) for _ in range(4)])

    def forward(self, query, key, value, mask=None):
        nb = query.size(0)
        q, k, v = [
            l(x).view(nb, -1, self.h, self.dk).transpose(1, 2)
            for l, x in zip(self.linears, (query, key, value))
        ]
        scores = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(self.dk)
        if mask is not None:
            mask = mask.unsqueeze(1)
            scores = scores.masked_fill(mask == 0, -1e9)
        p = F.softmax(scores, dim=-1)
        x = torch.matmul(p, v)
        x = x.transpose(1, 2).contiguous().view(nb, -1, self.h * self.dk)
        return self.linears[-1](x)


def one_key_head(q, k, v):
    # q: (b, h, n, d)   k, v: (b, n, d)
    sim = torch.einsum("b h i d, b j d -> b h i j", q, k) * q.shape[-1] ** -0.5
    i, j = sim.shape[-2:]
    causal = torch.ones((i, j), dtype=torch.bool).triu(j - i + 1)
    sim = sim.masked_fill(causal, -torch.finfo(sim.dtype).max)
    attn = sim.softmax(dim=-1)
    return torch.einsum("b h i j, b j d -> b h i d", attn, v)


def cases(rng):
    def made(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32, requires_grad=True)

    for b, t, s in ((2, 5, 5), (1, 1, 3)):
        q, k, v = made(b, t, 8), made(b, s, 8), made(b, s, 8)
        mask = torch.ones(b, t, s, dtype=torch.int64).tril(1)
        yield "MultiHeadedAttention(8, 2)", (q, k, v), {}
        yield "MultiHeadedAttention(8, 2)", (q, k, v, mask), {}
        yield "one_key_head", (made(b, 2, t, 4), made(b, t, 4), made(b, t, 4)), {}
