# refuse: the loop runs over layers, and x passes through each of them
import torch
from torch import nn


class Stack(nn.Module):
    def __init__(self, d, depth):
        super().__init__()
        self.layers = nn.ModuleList(nn.Sequential(nn.Linear(d, d), nn.GELU()) for _ in range(depth))
        self.alpha = nn.Parameter(torch.ones(depth))

    def forward(self, x):
        hidden = []
        for i, layer in enumerate(self.layers):
            x = self.alpha[i] * x + layer(x)
            hidden.append(x)
        return x, torch.stack(hidden)


def cases(rng):
    yield "Stack(4, 3)", (torch.tensor(rng.standard_normal((2, 4)), dtype=torch.float32),), {}
