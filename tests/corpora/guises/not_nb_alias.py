# refuse: two names of one array
import torch
from torch import Tensor


def nb_alias(x: Tensor):
    B, T = x.shape
    y = x
    for b in range(B):
        for t in range(1, T):
            y[b, t] = 0.5 * x[b, t - 1] + x[b, t]
    return y


def cases(rng):
    def R(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32)

    yield "nb_alias", (R(3, 5),), {}
