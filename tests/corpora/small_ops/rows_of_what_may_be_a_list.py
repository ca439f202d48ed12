# expect: LOC306 unsafe scope=Other.forward
import torch
from torch import nn


class Other(nn.Module):
    def forward(self, x):
        out = []
        for i in range(len(x)):
            out.append(x[i] / torch.sqrt((x[i] ** 2).sum()))
        return torch.stack(out)


class Model(nn.Module):
    def forward(self, x):
        return Other()(list(x))


def get_inputs():
    return [torch.randn(4, 3)]


def cases(rng):
    yield "Model()", (torch.tensor(rng.normal(size=(4, 3)), requires_grad=True),), {}
