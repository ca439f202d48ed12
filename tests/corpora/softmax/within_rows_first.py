# expect: ASC107 safe scope=f
import torch
from torch import Tensor


def f(x: Tensor):
    rows, width = x.shape
    out = [x[0]]
    for row in x:
        weights = torch.exp(row - row.max())
        out.append(weights / weights.sum())
    return torch.stack(out)


def cases(rng):
    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    yield "f", (G(4, 3),), {}
