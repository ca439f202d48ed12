# expect: ASC101 safe scope=MinGRU.forward
import torch
from torch import nn


class MinGRU(nn.Module):
    """Gates and candidates are products with matrices, one step at a time."""

    def __init__(self, width, hidden):
        super().__init__()
        self.wz = nn.Parameter(torch.randn(width, hidden) * width**-0.5)
        self.wh = nn.Parameter(torch.randn(width, hidden) * width**-0.5)

    def forward(self, x, h):
        states = []
        for t in range(x.size(1)):
            xt = x[:, t]
            z = torch.sigmoid(xt @ self.wz)
            h = (1 - z) * h + z * (xt @ self.wh)
            states.append(h)
        return torch.stack(states, dim=1)


def cases(rng):
    for batch, length, width, hidden in ((2, 7, 4, 4), (1, 1, 3, 5)):
        x = torch.tensor(rng.normal(size=(batch, length, width)), dtype=torch.float32)
        h = torch.zeros(batch, hidden)
        yield f"MinGRU({width}, {hidden})", (x.requires_grad_(), h), {}
