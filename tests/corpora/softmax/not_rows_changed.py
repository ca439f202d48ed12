# refuse: the rows change the one after them
import torch
from torch import Tensor


def f(x: Tensor):
    x = x.detach().clone()
    rows, width = x.shape
    out = []
    for i in range(rows):
        weights = torch.exp(x[i] - x[i].max())
        if i + 1 < rows:
            x[i + 1] += weights
        out.append(weights / weights.sum())
    return torch.stack(out)


def cases(rng):
    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    yield "f", (G(4, 3),), {}
