# expect: LOC304 safe scope=counted
# expect: LOC304 safe scope=turned_by_number
import math

import torch
import torch.nn.functional as F


def counted(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, window: int):
    n = q.size(2)
    i = torch.arange(n, device=q.device)
    ahead = i[:, None] - i[None, :]
    s = (q @ k.transpose(2, 3)) / math.sqrt(q.size(3))
    s = s.masked_fill((ahead < 0) | (ahead >= window), float("-inf"))
    return F.softmax(s, dim=-1) @ v


def turned_by_number(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, window: int):
    i = torch.arange(q.size(-2), device=q.device)
    ahead = i[:, None] - i[None, :]
    s = (q @ k.transpose(2, 3)) / math.sqrt(q.size(-1))
    s = s.masked_fill((ahead < 0) | (ahead >= window), float("-inf"))
    return F.softmax(s, dim=-1) @ v


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32).requires_grad_()
    for n in (1, 2, 9, 150):
        given = (draw(2, 2, n, 4), draw(2, 2, n, 4), draw(2, 2, n, 6), 5)
        yield "counted", given, {}
        yield "turned_by_number", given, {}
