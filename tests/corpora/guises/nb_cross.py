# expect: LOC302 safe scope=nb_cross
import torch
from torch import Tensor


def nb_cross(a: Tensor, x: Tensor):
    B, T = x.shape
    out = torch.zeros(B, T)
    for b in range(1, B):
        for t in range(1, T):
            out[b, t] = a[b, t] * out[b - 1, t - 1] + x[b, t]
    return out


def cases(rng):
    def R(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32)

    yield "nb_cross", (R(3, 5), R(3, 5)), {}
    yield "nb_cross", (R(4, 4), R(4, 4)), {}
    yield "nb_cross", (R(2, 1), R(2, 1)), {}
