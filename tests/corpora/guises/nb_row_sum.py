# expect: ASC101 safe scope=nb_row_sum
import torch
from torch import Tensor


def nb_row_sum(x: Tensor):
    B, T = x.shape
    out = torch.zeros(B)
    for b in range(B):
        h = 0.0
        for t in range(T):
            h = 0.5 * h + x[b, t]
        out[b] = h
    return out


def cases(rng):
    def R(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32)

    yield "nb_row_sum", (R(3, 5),), {}
