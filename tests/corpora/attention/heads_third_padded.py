# expect: ASC109 safe scope=attend
# expect: ASC109 safe scope=attend_to_the_first
"""Heads behind the positions, keys masked by a mask of batch and keys or by their number."""

from __future__ import annotations

import torch


def attend(q, k, v, mask):
    scores = torch.einsum("bqhd,bkhd->bhqk", q, k) * 0.25
    scores = scores.masked_fill(~mask[:, None, None, :], float("-inf"))
    scores = scores - scores.amax(-1, keepdim=True)
    weights = scores.exp() / scores.exp().sum(-1, keepdim=True)
    return torch.einsum("bhqk,bkhd->bqhd", weights, v)


def attend_to_the_first(q, k, v, lengths):
    scores = torch.einsum("bqhd,bkhd->bhqk", q, k) * 0.25
    there = torch.arange(k.shape[1])[None, :] < lengths[:, None]
    scores = scores.masked_fill(~there[:, None, None, :], float("-inf"))
    return torch.einsum("bhqk,bkhd->bqhd", scores.softmax(-1), v)


def cases(rng):
    def tensor(*shape):
        return torch.from_numpy(rng.standard_normal(shape)).requires_grad_()

    for rows, columns in ((1, 2), (5, 7)):
        q, k, v = tensor(2, rows, 3, 4), tensor(2, columns, 3, 4), tensor(2, columns, 3, 5)
        mask = torch.from_numpy(rng.random((2, columns)) > 0.4)
        mask[:, 0] = True
        yield "attend", (q, k, v, mask), {}
        yield "attend_to_the_first", (q, k, v, torch.tensor([1, columns])), {}
