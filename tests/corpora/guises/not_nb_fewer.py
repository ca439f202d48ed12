# refuse: only some of the rows are written
import torch
from torch import Tensor


def nb_fewer(a: Tensor, x: Tensor, n: int):
    B, T = x.shape
    out = torch.ones(B, T)
    for b in range(n):
        for t in range(1, T):
            out[b, t] = a[b, t] * out[b, t - 1] + x[b, t]
    return out


def cases(rng):
    def R(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32)

    yield "nb_fewer", (R(3, 5), R(3, 5), 2), {}
