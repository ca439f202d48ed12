# refuse: each row is kept twice
import torch
from torch import Tensor


def f(x: Tensor):
    rows, width = x.shape
    out = []
    for row in x:
        weights = torch.exp(row - row.max())
        out.append(weights / weights.sum())
        out.append(weights)
    return torch.stack(out)


def cases(rng):
    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    yield "f", (G(4, 3),), {}
