# expect: ASC101 safe scope=running_mean
import torch
from torch import Tensor


def running_mean(x: Tensor):
    mean = torch.zeros_like(x[0])
    out = []
    for n, v in enumerate(x, 1):
        mean = mean + (v - mean) / n
        out.append(mean)
    return torch.stack(out)


def cases(rng):
    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    yield "running_mean", (G(7, 3),), {}
    yield "running_mean", (G(7),), {}
    yield "running_mean", (G(7, 2, 3),), {}
