# refuse: SPA403 the rows that are read are not those of the tokens
import torch
from torch import nn


class Switch(nn.Module):
    def __init__(self, size, count):
        super().__init__()
        self.router = nn.Linear(size, count)
        self.experts = nn.ModuleList([nn.Linear(size, size) for _ in range(count)])

    def forward(self, x, rows):
        best = self.router(x).argmax(dim=-1)
        outputs = torch.stack([expert(x) for expert in self.experts], dim=1)
        return outputs[rows, best]


def cases(rng):
    yield "Switch(4, 3)", (torch.randn(6, 4), torch.zeros(6, dtype=torch.long)), {}
