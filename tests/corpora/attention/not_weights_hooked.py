# refuse: a hook may be set on the weights
import math

import torch
from torch import nn


class A(nn.Module):
    def forward(self, q, k, v, register_hook=False):
        w = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), -1)
        if register_hook:
            w.register_hook(print)
        return w @ v


def cases(rng):
    def draw(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32).requires_grad_()

    yield (
        "A()",
        (
            draw(2, 5, 4),
            draw(2, 7, 4),
            draw(2, 7, 4),
        ),
        {},
    )
