# expect: ASC107 safe scope=f
import torch
from torch import Tensor


def f(x: Tensor, limit: float):
    rows, width = x.shape
    out = torch.zeros_like(x)
    for i in range(rows):
        if x[i, 0] > limit:
            break
        weights = torch.exp(x[i] - x[i].max())
        out[i] = weights / weights.sum()
    return out


def cases(rng):
    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    yield "f", (G(4, 3).detach(), 0.1), {}
