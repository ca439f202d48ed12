# expect: ASC101 safe scope=Conditioned.forward
import torch
from torch import nn


class Conditioned(nn.Module):
    def __init__(self):
        super().__init__()
        self.proj = nn.Linear(4, 3)

    def forward(self, x, condition):
        batch, steps, width = x.shape
        g = torch.sigmoid(self.proj(condition))
        h = torch.zeros(batch, width)
        out = []
        for t in range(steps):
            h = g * h + (1 - g) * x[:, t]
            out.append(h)
        return torch.stack(out, 1)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.random(s), dtype=torch.float32)
    yield "Conditioned()", (draw(2, 5, 3), draw(2, 4)), {}
    yield "Conditioned()", (draw(1, 1, 3), draw(1, 4)), {}
