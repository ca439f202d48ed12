# expect: RED509 safe scope=Head.forward
# expect: RED509 safe scope=first
import torch
import torch.nn.functional as F
from torch import nn


class Head(nn.Module):
    def __init__(self, width: int, words: int):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, words)

    def forward(self, hidden):
        batch, length, width = hidden.shape
        hidden = self.norm(hidden)
        logits = self.head(hidden)
        return torch.softmax(logits[:, -1, :], dim=-1)


def first(x, weight, bias):
    assert x.ndim == 3 and weight.ndim == 2 and bias.ndim == 1
    y = F.linear(x, weight, bias)
    return y[:, 0]


def cases(rng):
    yield "Head(4, 7)", (torch.randn(2, 5, 4, requires_grad=True),), {}
    yield "Head(3, 2)", (torch.randn(1, 1, 3),), {}
    x, weight = torch.randn(2, 3, 4, requires_grad=True), torch.randn(5, 4, requires_grad=True)
    yield "first", (x, weight, torch.randn(5, requires_grad=True)), {}
