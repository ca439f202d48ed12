# refuse: SPA403 only the first token of each expert is given to it
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
            rows = (choice == i).nonzero()[:, 0][:1]
            y[rows] = expert(x[rows])
        return y


def cases(rng):
    yield "Switch(4, 3)", (torch.eye(4)[:3].repeat(9, 1) * 50,), {}
