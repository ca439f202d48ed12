# expect: ASC101 safe scope=Smooth.forward
import torch
from torch import nn


class Smooth(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.keep = nn.Parameter(torch.rand(width, dtype=torch.float64))
        self.enter = nn.Linear(width, width).double()

    def forward(self, x):
        batch, steps, width = x.shape
        h = torch.zeros(batch, width, 1, dtype=x.dtype)
        seen = []
        for t in range(steps):
            h = h * self.keep[None, :, None] + self.enter(x[:, t]).unsqueeze(-1)
            seen.append(h.squeeze(-1))
        return torch.stack(seen, dim=1)


def cases(rng):
    for steps in (1, 6):
        x = torch.tensor(rng.random((2, steps, 3)), requires_grad=True)
        yield "Smooth(3)", (x,), {}
