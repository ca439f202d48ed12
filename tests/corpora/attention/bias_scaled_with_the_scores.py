# expect: ASC109 safe scope=relative_attention
import math

import torch


def relative_attention(q, k, v, positions, mask):
    scores = q @ k.transpose(-2, -1) + positions
    scores = scores / math.sqrt(q.shape[-1])
    scores = scores + mask
    weights = torch.softmax(scores, dim=-1)
    return weights @ v


def cases(rng):
    def made(*shape):
        return torch.tensor(rng.standard_normal(shape), requires_grad=True)

    q, k, v = made(2, 3, 5, 4), made(2, 3, 6, 4), made(2, 3, 6, 4)
    yield "relative_attention", (q, k, v, made(3, 5, 6), made(2, 1, 1, 6)), {}
    yield "relative_attention", (made(1, 2), made(1, 2), made(1, 3), made(1, 1), made(1)), {}
