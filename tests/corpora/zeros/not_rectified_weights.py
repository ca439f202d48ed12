# refuse: SPA407 what is rectified is a weight, not what a layer gives
import torch
from torch import nn


class Rectified(nn.Module):
    def __init__(self, size: int, rank: int):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(size, size))
        self.up = nn.Parameter(torch.randn(size, rank))
        self.down = nn.Parameter(torch.randn(rank, size))

    def forward(self, x):
        whole = self.weight + self.up @ self.down
        return x @ torch.relu(whole).T


def cases(rng):
    yield "Rectified(6, 2)", (torch.from_numpy(rng.standard_normal((3, 6))).float(),), {}
