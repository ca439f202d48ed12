# refuse: LOC307 nothing says how large the arrays are
import os

import torch
from torch import nn


class Model(nn.Module):
    def forward(self, x):
        x = x - 0.5
        x = torch.sigmoid(x) * x
        return torch.tanh(x)


def get_inputs():
    return [torch.randn(int(os.environ.get("ROWS", "1024")), 2048)]


def cases(rng):
    yield "Model()", (torch.tensor(rng.standard_normal((3, 5))),), {}
