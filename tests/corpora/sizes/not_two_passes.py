# refuse: LOC307 two passes are not worth a compiler
import torch
from torch import nn


class Model(nn.Module):
    def forward(self, x):
        x = x - 0.5
        return torch.tanh(x)


def get_inputs():
    return [torch.randn(1024, 2048)]


def cases(rng):
    yield "Model()", (torch.tensor(rng.standard_normal((3, 5))),), {}
