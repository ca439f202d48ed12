# refuse: another method writes into the weight, which may be between a call and its backward pass
import torch
from torch import nn


class Scaled(nn.Module):
    def __init__(self, size: int):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(size))

    def forward(self, x: torch.Tensor):
        mean_square = x.pow(2).mean(-1, keepdim=True)
        return self.weight * x * torch.rsqrt(mean_square + 1e-5)

    def init_grown(self, x: torch.Tensor):
        y = self.forward(x)
        with torch.no_grad():
            self.weight.mul_(1.5)
        return y


def cases(rng):
    x = torch.tensor(rng.standard_normal((3, 6)), dtype=torch.float32)
    yield "Scaled.forward", (Scaled(6), x), {}
