# expect: ASC109 safe scope=attend
# expect: ASC109 safe scope=like_itself
"""The scores are cast to the type that they have."""

import torch
from torch import nn


def attend(query, key, value, causal_mask):
    weights = torch.matmul(query, key.transpose(-1, -2))
    lowest = torch.finfo(weights.dtype).min
    lowest = torch.full([], lowest, dtype=weights.dtype)
    weights = torch.where(causal_mask, weights.to(weights.dtype), lowest)
    weights = nn.functional.softmax(weights, dim=-1)
    return torch.matmul(weights.type(value.dtype), value)


def like_itself(query, key, value):
    scores = torch.matmul(query, key.transpose(-1, -2))
    scores = scores.type_as(scores) * 0.5
    return torch.matmul(scores.softmax(-1), value)


def cases(rng):
    def T(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32, requires_grad=True)

    for n in (1, 5):
        mask = torch.ones(n, n, dtype=torch.bool).tril()
        yield "attend", (T(2, 3, n, 4), T(2, 3, n, 4), T(2, 3, n, 4), mask), {}
        yield "like_itself", (T(2, n, 4), T(2, 7, 4), T(2, 7, 3)), {}
