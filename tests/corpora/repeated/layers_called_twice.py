# expect: RED502 unsafe scope=Gated.forward
# expect: RED501 unsafe scope=Scores.forward
import torch
from torch import nn


class Gated(nn.Module):
    def __init__(self, d: int):
        super().__init__()
        self.fc = nn.Linear(d, d)

    def forward(self, x):
        return self.fc(x) * torch.sigmoid(self.fc(x))


class Scores(nn.Module):
    def __init__(self, d: int):
        super().__init__()
        self.key = nn.Linear(d, d)

    def forward(self, xs, context):
        scores = []
        for i in range(3):
            keys = self.key(context)
            scores.append(xs[i] @ keys.T)
        return torch.stack(scores)


def cases(rng):
    yield "Gated(4)", (torch.randn(3, 4),), {}
    yield "Gated(4)", (torch.randn(4),), {}
    yield "Scores(4)", (torch.randn(3, 4), torch.randn(2, 4)), {}
