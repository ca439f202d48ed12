# expect: ASC108 safe scope=Scaled.forward
import torch
from torch import nn


class Scaled(nn.Module):
    def __init__(self, size: int):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(size))

    def forward(self, x: torch.Tensor):
        mean_square = x.pow(2).mean(-1, keepdim=True)
        return self.weight * x * torch.rsqrt(mean_square + 1e-5)


def init_weights(module: nn.Module):
    if isinstance(module, Scaled):
        nn.init.ones_(module.weight)


def cases(rng):
    layer = Scaled(6)
    init_weights(layer)
    x = torch.tensor(rng.standard_normal((3, 6)), dtype=torch.float32, requires_grad=True)
    yield "Scaled.forward", (layer, x), {}
