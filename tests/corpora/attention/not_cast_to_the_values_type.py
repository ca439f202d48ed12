# refuse: ASC109 the scores are rounded to another type on the way
import torch
from torch import nn


def attend(query, key, value, other):
    weights = torch.matmul(query, key.transpose(-1, -2))
    weights = weights.to(other.dtype).float()
    weights = nn.functional.softmax(weights, dim=-1)
    return torch.matmul(weights, value)


def cases(rng):
    def T(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32, requires_grad=True)

    for n in (1, 5):
        half = torch.ones(1, dtype=torch.bfloat16)
        yield "attend", (T(2, n, 4), T(2, 7, 4), T(2, 7, 3), half), {}
