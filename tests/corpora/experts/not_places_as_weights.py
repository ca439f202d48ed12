# refuse: SPA403 the places of the tokens are numbers here, no mask
import torch
from torch import nn


class Switch(nn.Module):
    def __init__(self, size, count):
        super().__init__()
        self.router = nn.Linear(size, count)
        self.experts = nn.ModuleList([nn.Linear(size, size) for _ in range(count)])

    def forward(self, x):
        choice = self.router(x).argmax(dim=-1)
        y = torch.zeros_like(x)
        for i, expert in enumerate(self.experts):
            rows = torch.where(choice == i)[0].sum().reshape(1, 1)
            y = y + rows * expert(x)
        return y


def cases(rng):
    yield "Switch(4, 3)", (torch.randn(6, 4),), {}
