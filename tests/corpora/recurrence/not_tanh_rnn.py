# refuse: the state passes through tanh
import torch
from torch import nn


class ElmanCell(nn.Module):
    """A recurrent layer with one weight per unit instead of a matrix."""

    def __init__(self, units):
        super().__init__()
        self.inp = nn.Linear(units, units)
        self.self_weight = nn.Parameter(torch.randn(units))

    def forward(self, x):
        drive = self.inp(x)
        h = torch.zeros_like(drive[:, 0])
        hs = []
        for t in range(x.shape[1]):
            h = torch.tanh(self.self_weight * h + drive[:, t])
            hs.append(h)
        return torch.stack(hs, dim=1)


def cases(rng):
    x = torch.tensor(rng.standard_normal((2, 9, 4)), dtype=torch.float32)
    yield "ElmanCell(4)", (x,), {}
