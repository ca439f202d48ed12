# expect: ASC105 safe scope=running_mean2
import torch
from torch import Tensor


def running_mean2(x: Tensor):
    s = torch.zeros_like(x[0])
    out = []
    for n, v in enumerate(x, 1):
        s = s + v
        out.append(s / n)
    return torch.stack(out)


def cases(rng):
    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    yield "running_mean2", (G(7, 3),), {}
    yield "running_mean2", (G(7),), {}
