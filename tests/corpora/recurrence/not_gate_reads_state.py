# refuse: the forget gate reads the state
import torch
from torch import nn


class GatedUnit(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.gate = nn.Linear(d, d)
        self.cand = nn.Linear(d, d)

    def forward(self, x):
        h = torch.zeros(x.shape[0], x.shape[2])
        ys = []
        for x_t in x.unbind(1):
            f = torch.sigmoid(self.gate(h + x_t))
            h = f * h + (1 - f) * self.cand(x_t)
            ys.append(h)
        return torch.stack(ys, 1)


def cases(rng):
    yield "GatedUnit(3)", (torch.tensor(rng.standard_normal((2, 8, 3)), dtype=torch.float32),), {}
