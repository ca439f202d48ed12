# expect: ASC109 safe scope=of_heads
import math

import torch


def of_heads(qkv, heads: int):
    n, width, length = qkv.shape
    size = width // (3 * heads)
    q, k, v = qkv.chunk(3, dim=1)
    root = 1 / math.sqrt(math.sqrt(size))
    scores = torch.einsum(
        "bct,bcs->bts",
        (q * root).view(n * heads, size, length),
        (k * root).view(n * heads, size, length),
    )
    weights = torch.softmax(scores, dim=-1)
    read = torch.einsum("bts,bcs->bct", weights, v.reshape(n * heads, size, length))
    return read.reshape(n, -1, length)


def cases(rng):
    for n, heads, size, length in ((2, 3, 4, 5), (1, 1, 2, 1)):
        x = torch.randn(n, 3 * heads * size, length, requires_grad=True)
        yield "of_heads", (x, heads), {}
