# expect: RED502 safe scope=Squeeze.forward

import torch
from torch import nn


class Squeeze(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.down = nn.Linear(width, width)
        self.up = nn.Linear(width, width)

    def forward(self, x):
        scale = self.down(x.mean(dim=1))
        shift = self.up(torch.mean(x, 1))
        return x * scale.unsqueeze(1) + shift.unsqueeze(1)


def cases(rng):
    x = torch.from_numpy(rng.normal(size=(2, 5, 3))).float().requires_grad_()
    yield "Squeeze(3)", (x,), {}
