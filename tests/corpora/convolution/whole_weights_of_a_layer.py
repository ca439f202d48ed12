# expect: LOC303 safe scope=Counted.forward
import torch
from torch import nn


class Counted(nn.Module):
    """torch convolves no integers."""

    def __init__(self, channels, size):
        super().__init__()
        counts = torch.arange(2 * channels * size).reshape(2, channels, size)
        self.weight = nn.Parameter(counts, requires_grad=False)

    def forward(self, x: torch.Tensor):
        b, c, t = x.shape
        o, _, k = self.weight.shape
        y = torch.zeros(b, o, t - k + 1, dtype=torch.float64)
        for m in range(o):
            for i in range(t - k + 1):
                y[:, m, i] = (x[:, :, i : i + k] * self.weight[m]).sum(dim=(1, 2))
        return y


def cases(rng):
    yield "Counted(3, 2)", (torch.arange(30).reshape(2, 3, 5),), {}
