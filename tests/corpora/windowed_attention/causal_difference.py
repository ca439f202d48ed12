# expect: LOC304 safe scope=local
import math

import torch


def local(q, k, v, window: int):
    i = torch.arange(q.shape[-2], device=q.device)
    ahead = i[:, None] - i[None, :]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    scores = scores.masked_fill((ahead < 0) | (ahead >= window), float("-inf"))
    return scores.softmax(dim=-1) @ v


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32).requires_grad_()
    for n in (1, 2, 9, 150):
        yield "local", (draw(2, 2, n, 4), draw(2, 2, n, 4), draw(2, 2, n, 6), 5), {}
