# expect: LOC307 advice scope=Model.forward
import torch
from torch import nn


class Model(nn.Module):
    def forward(self, x):
        x = x - 0.5
        x = torch.sigmoid(x) * x
        return torch.tanh(x)


def get_inputs():
    return [torch.randn(1024, 2048)]


def cases(rng):
    yield "Model()", (torch.tensor(rng.standard_normal((3, 5))),), {}
