# refuse: SPA403 an expert of the first token alone is left out
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
            rows = torch.where(choice == i)[0]
            if not rows.any():
                continue
            y[rows] = expert(x[rows])
        return y


def cases(rng):
    yield "Switch(4, 3)", (torch.randn(6, 4),), {}
