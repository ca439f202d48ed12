# expect: LOC304 safe scope=local
import math

import torch


def local(q, k, v, window: int):
    n = q.shape[-2]
    i = torch.arange(n, device=q.device)
    keep = (i[:, None] >= i[None, :]) & (i[:, None] - i[None, :] < window)
    s = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    s = s.masked_fill(~keep, float("-inf"))
    return s.softmax(dim=-1) @ v


def cases(rng):
    def draw(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32).requires_grad_()

    yield (
        "local",
        (
            draw(2, 3, 9, 4),
            draw(2, 3, 9, 4),
            draw(2, 3, 9, 4),
            3,
        ),
        {},
    )
