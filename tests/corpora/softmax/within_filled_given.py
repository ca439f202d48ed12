# expect: ASC107 safe scope=f
import torch
from torch import Tensor


def f(x: Tensor, out: Tensor, order: list[int]):
    rows, width = x.shape
    for i in range(rows):
        weights = torch.exp(x[i] - x[i].max())
        out[order[i]] = weights / weights.sum()
    return out


def cases(rng):
    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    yield "f", (G(3, 3).detach(), torch.zeros(3, 3), [2, 0, 1]), {}
