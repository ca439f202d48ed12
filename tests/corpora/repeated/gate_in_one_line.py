# expect: RED502 safe scope=Blend.forward

import torch
from torch import nn


class Blend(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.gate = nn.Parameter(torch.zeros(width))

    def forward(self, x, y):
        g = self.gate.view(1, -1)
        return (1.0 - torch.sigmoid(g)) * x + torch.sigmoid(g) * y


def cases(rng):
    x, y = (torch.from_numpy(rng.normal(size=(2, 3))).float().requires_grad_() for _ in "ab")
    yield "Blend(3)", (x, y), {}
