# may: ASC109 unsafe|advice scope=DropoutAttention.forward
# Active in training: only the random stream could differ.
import torch
import torch.nn.functional as F
from torch import nn


class DropoutAttention(nn.Module):
    def __init__(self, p):
        super().__init__()
        self.drop = nn.Dropout(p)

    def forward(self, q, k, v):
        att = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
        att = self.drop(F.softmax(att, dim=-1))
        return att @ v


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32)
    yield "DropoutAttention(0.3)", (draw(2, 7, 4), draw(2, 7, 4), draw(2, 7, 4)), {}
