# expect: ASC109 safe scope=attention
import math

import torch


def attention(query, key, value):
    """Scaled dot-product attention; (..., length, dim)."""
    scores = torch.matmul(query, key.transpose(-2, -1)) / math.sqrt(query.size(-1))
    return torch.matmul(scores.softmax(dim=-1), value)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32).requires_grad_()
    yield "attention", (draw(2, 3, 9, 4), draw(2, 3, 7, 4), draw(2, 3, 7, 5)), {}
    yield "attention", (draw(9, 4), draw(1, 4), draw(1, 4)), {}
    yield "attention", (draw(2, 9, 4), draw(2, 9, 4), draw(2, 9, 4)), {}
