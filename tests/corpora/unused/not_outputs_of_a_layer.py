# refuse: RED509 something happens to single outputs, or they are used, or hooks see them
import torch
from torch import nn


class Scores(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.linear = nn.Linear(inputs, outputs)
        self.one = nn.Parameter(torch.randn(1))
        self.each = nn.Parameter(torch.randn(outputs))
        self.drop = nn.Dropout(0.5)

    def clipped(self, x):
        return torch.relu(self.linear(x)).sum(1)

    def dropped(self, x):
        return self.drop(self.linear(x)).sum(1)

    def used(self, x):
        y = self.linear(x)
        return y.sum(1), y

    def shifted(self, x):
        return (self.linear(x) + self.one).sum(1)

    def weighted(self, x):
        return (self.linear(x) * self.each).sum(1)

    def over_rows(self, x):
        return self.linear(x).sum(0)

    def written(self, x):
        y = self.linear(x)
        y[:, 0] = 0
        return y.sum(1)


def cases(rng):
    for method in ("clipped", "dropped", "used", "shifted", "weighted", "over_rows", "written"):
        yield f"Scores(5, 4).{method}", (torch.randn(3, 5, requires_grad=True),), {}
