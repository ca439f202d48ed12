# refuse: RED509 a hook doubles what the layer gives
import torch
from torch import nn


class Scores(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.linear = nn.Linear(inputs, outputs)
        self.linear.register_forward_hook(lambda module, given, out: out * 2)

    def forward(self, x):
        return self.linear(x).sum(1)


def cases(rng):
    yield "Scores(5, 4)", (torch.randn(3, 5, requires_grad=True),), {}
