# refuse: the state runs through the rows
import torch
from torch import Tensor


def nb_zero_rows(x: Tensor):
    T, B = x.shape
    s = 0.0
    out = torch.zeros(T, B)
    for t in range(T):
        s = 0.5 * s
        for b in range(B):
            s = s + x[t, b]
            out[t, b] = s
    return out


def cases(rng):
    def R(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32)

    yield "nb_zero_rows", (R(3, 5),), {}
