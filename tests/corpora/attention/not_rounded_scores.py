# refuse: ASC109 the scores are rounded on purpose
"""Scores in half precision, weights that are not."""

import torch
import torch.nn.functional as F


def to_bfloat16(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
    return torch.softmax((q @ k.transpose(-1, -2)).bfloat16(), -1).to(v.dtype) @ v


def to_half(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
    s = q @ k.transpose(-1, -2)
    return F.softmax(s.half(), -1).type_as(s) @ v


def cases(rng):
    yield "to_bfloat16", (torch.rand(2, 3, 4), torch.rand(2, 3, 4), torch.rand(2, 3, 4)), {}
    yield "to_half", (torch.rand(2, 3, 4), torch.rand(2, 1, 4), torch.rand(2, 1, 4)), {}
