# expect: ASC101 safe scope=nb_self
import torch
from torch import Tensor


def nb_self(x: Tensor):
    B, T = x.shape
    for b in range(B):
        for t in range(1, T):
            x[b, t] = 0.5 * x[b, t - 1] + x[b, t]
    return x


def cases(rng):
    def R(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32)

    yield "nb_self", (R(3, 5),), {}
