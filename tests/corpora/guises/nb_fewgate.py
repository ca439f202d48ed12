# expect: ASC101 safe scope=nb_fewgate
import torch
from torch import Tensor


def nb_fewgate(a: Tensor, x: Tensor):
    B, T = x.shape
    out = torch.zeros(B, T)
    for b in range(B):
        h = 0.0
        for t in range(T):
            h = a[b] * h + x[b, t]
            out[b, t] = h
    return out


def cases(rng):
    def R(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32)

    yield "nb_fewgate", (R(3), R(3, 5)), {}
    yield "nb_fewgate", (R(4), R(4, 4)), {}
