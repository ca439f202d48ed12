# expect: ASC107 safe scope=f
import torch
from torch import Tensor


def f(x: Tensor, kept: list[bool]):
    rows, width = x.shape
    out = []
    for row, keep in zip(x, kept):
        if keep:
            weights = torch.exp(row - row.max())
            out.append(weights / weights.sum())
    return torch.stack(out)


def cases(rng):
    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    yield "f", (G(4, 3), [True, False, True, True]), {}
