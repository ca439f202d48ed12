# refuse: RED509 other rows are used, what they are made of changes, or it is a column that is taken
import torch
import torch.nn.functional as F
from torch import nn


class Head(nn.Module):
    def __init__(self, width: int, words: int):
        super().__init__()
        self.head = nn.Linear(width, words)

    def forward(self, hidden):
        batch, length, width = hidden.shape
        logits = self.head(hidden)
        return logits[:, -1], logits.mean()

    def column(self, hidden):
        rows, width = hidden.shape
        logits = self.head(hidden)
        return logits[:, -1]

    def changed(self, hidden):
        batch, length, width = hidden.shape
        logits = self.head(hidden)
        hidden.zero_()
        return logits[:, -1]

    def trained(self, hidden):
        batch, length, width = hidden.shape
        logits = self.head(hidden)
        with torch.no_grad():
            self.head.weight.mul_(0.5)
        return logits[:, -1]


class Other(nn.Module):
    def __init__(self, width: int, words: int):
        super().__init__()
        self.head = nn.GRU(width, words, batch_first=True)

    def forward(self, hidden):
        batch, length, width = hidden.shape
        steps = self.head(hidden)[0]
        return steps[:, -1]


def of_a_bias_for_each_row(x, weight, bias):
    assert x.ndim == 3 and weight.ndim == 2 and bias.ndim == 2
    y = F.linear(x, weight) + bias
    return y[:, 0]


def cases(rng):
    hidden = torch.randn(2, 5, 4)
    for name in ("forward", "changed", "trained"):
        yield f"lambda h: Head(4, 7).{name}(h)", (hidden.clone(),), {}
    yield "Head(4, 7).column", (torch.randn(3, 4),), {}
    yield "Other(4, 7)", (hidden,), {}
    yield "of_a_bias_for_each_row", (hidden, torch.randn(7, 4), torch.randn(5, 7)), {}
