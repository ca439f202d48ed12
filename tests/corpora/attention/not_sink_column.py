# refuse: a learnt column takes part of the weight
import torch
import torch.nn.functional as F
from torch import nn


class A(nn.Module):
    def __init__(self, h):
        super().__init__()
        self.sinks = nn.Parameter(torch.zeros(h))

    def forward(self, q, k, v):
        s = q @ k.transpose(-2, -1)
        sinks = self.sinks.reshape(1, -1, 1, 1).expand(q.shape[0], -1, q.shape[-2], -1)
        s = torch.cat([s, sinks], dim=-1)
        w = F.softmax(s, dim=-1)[..., :-1]
        return w @ v


def cases(rng):
    def draw(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32).requires_grad_()

    yield (
        "A(3)",
        (
            draw(2, 3, 5, 4),
            draw(2, 3, 7, 4),
            draw(2, 3, 7, 4),
        ),
        {},
    )
