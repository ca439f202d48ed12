# expect: RED509 safe scope=Head.forward
import torch
from torch import nn


class Head(nn.Module):
    def __init__(self, width: int, words: int):
        super().__init__()
        self.words = nn.Parameter(torch.randn(width, words))

    def forward(self, hidden):
        batch, length, width = hidden.shape
        scores = torch.matmul(hidden, self.words)
        return scores[:, -1, :]


def cases(rng):
    yield "Head(3, 7)", (torch.randn(2, 5, 3, requires_grad=True),), {}
    yield "Head(1, 2)", (torch.randn(1, 1, 1),), {}
