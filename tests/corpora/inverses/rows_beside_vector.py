# expect: RED507 unsafe scope=Layer.backward_map
import torch
from torch import nn


class Layer(nn.Module):
    """Nothing says whether one vector or rows of them meet the bias."""

    def __init__(self, d: int):
        super().__init__()
        self.weight = nn.Parameter(torch.eye(d) * 2 + 0.1 * torch.ones(d, d))
        self.bias = nn.Parameter(torch.ones(d))

    def backward_map(self, z):
        inverse = torch.linalg.inv(self.weight)
        return torch.matmul(z - self.bias, inverse.t())


def cases(rng):
    yield "Layer(4).backward_map", (torch.randn(4),), {}
