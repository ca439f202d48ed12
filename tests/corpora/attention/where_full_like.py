# expect: ASC109 safe scope=f
import math

import torch


def f(q, k, v, keep):
    s = torch.matmul(q, k.transpose(-1, -2)) / math.sqrt(q.shape[-1])
    s = torch.where(keep, s, torch.full_like(s, -1e9))
    return torch.matmul(torch.softmax(s, dim=-1), v)


def cases(rng):
    def draw(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32).requires_grad_()

    def keep(*shape):
        found = torch.tensor(rng.random(shape) < 0.6)
        found[..., 0] = True
        return found

    yield (
        "f",
        (
            draw(2, 3, 5, 4),
            draw(2, 3, 7, 4),
            draw(2, 3, 7, 4),
            keep(2, 1, 5, 7),
        ),
        {},
    )
