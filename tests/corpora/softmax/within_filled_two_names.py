# may: ASC107 safe scope=f
import torch
from torch import Tensor


def f(x: Tensor):
    rows, width = x.shape
    out = torch.zeros_like(x)
    seen = out
    for i in range(rows):
        weights = torch.exp(x[i] - x[i].max() + seen.sum())
        out[i] = weights / weights.sum()
    return out


def cases(rng):
    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    yield "f", (G(4, 3).detach(),), {}
