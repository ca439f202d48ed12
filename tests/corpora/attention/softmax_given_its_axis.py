# expect: ASC109 safe scope=attention
from functools import partial

import torch

row_softmax = partial(torch.softmax, dim=-1)


def scores(q, k):
    return torch.matmul(q, torch.transpose(k, -1, -2)) / q.shape[-1] ** 0.5


def attention(q, k, v):
    return torch.matmul(row_softmax(scores(q, k)), v)


def cases(rng):
    yield (
        "attention",
        (
            torch.randn(2, 5, 4, requires_grad=True),
            torch.randn(2, 6, 4, requires_grad=True),
            torch.randn(2, 6, 3, requires_grad=True),
        ),
        {},
    )
