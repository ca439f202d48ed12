# refuse: the state runs on from row to row
import torch
from torch import Tensor


def nb_acc(a: Tensor, x: Tensor):
    B, T = x.shape
    out = torch.zeros(B, T)
    h = 0.0
    for b in range(B):
        for t in range(T):
            h = a[b, t] * h + x[b, t]
            out[b, t] = h
    return out


def cases(rng):
    def R(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32)

    yield "nb_acc", (R(3, 5), R(3, 5)), {}
    yield "nb_acc", (R(4, 4), R(4, 4)), {}
    yield "nb_acc", (R(2, 1), R(2, 1)), {}
