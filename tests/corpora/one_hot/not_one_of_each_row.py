# refuse: SPA401 the rows are added up along another axis, smoothed, ordered, or of other places
import torch
import torch.nn.functional as F
from torch import nn


def along_rows(scores: torch.Tensor, labels: torch.Tensor):
    count, classes = scores.shape
    (count,) = labels.shape
    return (F.one_hot(labels, classes) * scores).sum(dim=0)


def smoothed(scores: torch.Tensor, labels: torch.Tensor):
    count, classes = scores.shape
    (count,) = labels.shape
    return ((F.one_hot(labels, classes) * 0.9 + 0.01) * scores).sum(dim=1)


def below(labels: torch.Tensor, table: torch.Tensor):
    classes, width = table.shape
    (count,) = labels.shape
    return (torch.arange(classes) < labels[:, None]).float() @ table


def squared(scores: torch.Tensor, labels: torch.Tensor):
    count, classes = scores.shape
    (count,) = labels.shape
    return ((F.one_hot(labels, classes) * scores) ** 2 + 1).sum(dim=1)


class Mixed(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Linear(4, 3)

    def forward(self, tokens):
        return self.table(F.one_hot(tokens, 4).float() * 0.5)


def cases(rng):
    scores, labels = torch.randn(3, 4), torch.tensor([0, 3, 1])
    for name in ("along_rows", "smoothed", "squared"):
        yield name, (scores, labels), {}
    yield "below", (labels, torch.randn(4, 2)), {}
    yield "Mixed()", (labels,), {}
