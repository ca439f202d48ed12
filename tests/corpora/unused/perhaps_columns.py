# expect: RED509 unsafe scope=Head.forward
# expect: RED509 unsafe scope=last
import torch
from torch import nn


class Head(nn.Module):
    def __init__(self, width: int, words: int):
        super().__init__()
        self.head = nn.Linear(width, words)

    def forward(self, hidden):
        logits = self.head(hidden)
        return logits[:, -1]


def last(x, weight):
    width, out = weight.shape
    y = torch.matmul(x, weight)
    return torch.relu(y[:, -1])


def cases(rng):
    yield "Head(4, 7)", (torch.randn(3, 4),), {}
    yield "last", (torch.randn(3, 4), torch.randn(4, 2)), {}
