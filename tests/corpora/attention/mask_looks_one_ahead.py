# expect: ASC109 safe scope=LookaheadAttention.forward
# tril with diagonal=1: each position also sees the next one. Almost causal, but not.
import torch
import torch.nn.functional as F
from torch import nn


class LookaheadAttention(nn.Module):
    def __init__(self, max_len):
        super().__init__()
        self.register_buffer("mask", torch.tril(torch.ones(max_len, max_len), diagonal=1))

    def forward(self, q, k, v):
        n = q.shape[1]
        scores = q @ k.transpose(1, 2) / q.shape[-1] ** 0.5
        scores = scores.masked_fill(self.mask[:n, :n] == 0, float("-inf"))
        return F.softmax(scores, dim=-1) @ v


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32).requires_grad_()
    yield "LookaheadAttention(16)", (draw(2, 11, 4), draw(2, 11, 4), draw(2, 11, 4)), {}
