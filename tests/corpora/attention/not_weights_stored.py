# refuse: the weights are kept on the module for a plot
import torch
from torch import nn


class VisibleAttention(nn.Module):
    def forward(self, q, k, v):
        self.last_weights = torch.softmax(q @ k.mT * q.shape[-1] ** -0.5, dim=-1)
        return self.last_weights @ v


def look(q, k, v):
    layer = VisibleAttention()
    return layer(q, k, v), layer.last_weights


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32)
    yield "look", (draw(2, 5, 4), draw(2, 7, 4), draw(2, 7, 4)), {}
