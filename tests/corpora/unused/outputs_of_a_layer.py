# expect: RED509 unsafe scope=Scores.forward
# expect: RED509 unsafe scope=Scores.averaged
# expect: RED509 unsafe scope=Scores.unbiased
import torch
from torch import nn


class Scores(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.linear = nn.Linear(inputs, outputs)
        self.plain = nn.Linear(inputs, outputs, bias=False)

    def forward(self, x):
        x = self.linear(x)
        x = torch.sum(x, dim=1, keepdim=True)
        return torch.logsumexp(x, dim=1, keepdim=True)

    def averaged(self, x):
        return self.linear(x).mean(dim=-1)

    def unbiased(self, x):
        y = self.plain(x)
        y = y * 3
        return torch.mean(y, dim=-1, keepdim=True)


def cases(rng):
    for rows in (3, 1):
        yield "Scores(5, 4)", (torch.randn(rows, 5, requires_grad=True),), {}
        yield "Scores(5, 4).averaged", (torch.randn(2, rows, 5, requires_grad=True),), {}
        yield "Scores(5, 4).unbiased", (torch.randn(rows, 5, requires_grad=True),), {}
