# expect: RED508 unsafe scope=ScaledBefore.forward
# expect: RED508 unsafe scope=ScaledBehind.forward
# expect: RED508 unsafe scope=AtOnce.forward
import torch
import torch.nn.functional as F
from torch import nn


class ScaledBefore(nn.Module):
    def __init__(self, size: int, out: int):
        super().__init__()
        self.register_buffer("codes", torch.randint(-127, 128, (out, size), dtype=torch.int8))
        self.register_buffer("scales", torch.rand(out))
        self.bias = nn.Parameter(torch.zeros(out))

    def forward(self, x):
        weight = self.codes.to(x.dtype) * self.scales.unsqueeze(1)
        return F.linear(x, weight, self.bias)


class ScaledBehind(nn.Module):
    def __init__(self, size: int, out: int):
        super().__init__()
        self.register_buffer("weight", torch.zeros((out, size), dtype=torch.int8))
        self.register_buffer("scales", torch.ones(out))

    def forward(self, input):
        return F.linear(input, self.weight.to(dtype=input.dtype)) * self.scales


class AtOnce(nn.Module):
    def __init__(self, size: int, out: int):
        super().__init__()
        self.register_buffer("q", torch.randint(-9, 9, (out, size)).to(torch.int8))
        self.scale = nn.Parameter(torch.rand(out))

    def forward(self, x):
        if x.dim() > 1:
            return torch.relu(x @ (self.scale[:, None] * self.q.float()).T)
        return x


def cases(rng):
    for shape in ((4, 6), (1, 6), (2, 3, 6), (0, 6)):
        x = torch.tensor(rng.standard_normal(shape)).float().requires_grad_()
        for made in ("ScaledBefore(6, 5)", "ScaledBehind(6, 5)", "AtOnce(6, 5)"):
            yield made, (x,), {}
