# refuse: the state runs through the features
import torch
from torch import Tensor


def nb_gate(a: Tensor, g: Tensor, x: Tensor):
    B, T, D = x.shape
    out = torch.zeros(B, T, D)
    for b in range(B):
        h = torch.zeros(())
        for t in range(T):
            for d in range(D):
                h = a[b, t] * h + x[b, t, d]
                out[b, t, d] = h
    return out


def cases(rng):
    def R(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32)

    yield "nb_gate", (R(2, 4), R(2, 4), R(2, 4, 3)), {}
