# expect: ASC109 safe scope=rows
# expect: ASC109 safe scope=heads
# expect: ASC109 safe scope=batches
import math

import torch
import torch.nn.functional as F


def rows(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
    n, d = q.shape
    m, d = k.shape
    m, e = v.shape
    out = torch.empty(n, e, dtype=q.dtype, device=q.device)
    for i in range(0, n, 4):
        scores = q[i : i + 4] @ k.T * d**-0.5
        out[i : i + 4] = torch.softmax(scores, dim=-1) @ v
    return out


def heads(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
    """q, k, v: (B, H, N, D)"""
    b, h, n, d = q.shape
    out = torch.empty_like(q)
    for i in range(0, n, 4):
        some = q[:, :, i : i + 4]
        scores = some @ k.transpose(-2, -1) / math.sqrt(d)
        out[:, :, i : i + 4] = F.softmax(scores, dim=-1) @ v
    return out


def batches(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
    """q, k, v: (B, N, D)"""
    b, n, d = q.shape
    out = torch.zeros_like(q)
    for start in range(0, n, 4):
        scores = torch.bmm(q[:, start : start + 4], k.transpose(1, 2)) / d**0.5
        out[:, start : start + 4] = torch.bmm(torch.softmax(scores, dim=-1), v)
    return out


def cases(rng):
    def draw(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32, requires_grad=True)

    for n in (10, 8, 1):
        yield "rows", (draw(n, 3), draw(7, 3), draw(7, 5)), {}
        yield "heads", (draw(2, 3, n, 4), draw(2, 3, 7, 4), draw(2, 3, 7, 4)), {}
        yield "batches", (draw(2, n, 4), draw(2, 7, 4), draw(2, 7, 4)), {}
