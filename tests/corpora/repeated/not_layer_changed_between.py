# refuse: RED502 the weights are halved between the two calls
import torch
from torch import nn


class Halved(nn.Module):
    def __init__(self, d: int):
        super().__init__()
        self.fc = nn.Linear(d, d)

    @torch.no_grad()
    def forward(self, x):
        before = self.fc(x)
        self.fc.weight.mul_(0.5)
        return before * self.fc(x)


def cases(rng):
    yield "Halved(4)", (torch.randn(3, 4),), {}
