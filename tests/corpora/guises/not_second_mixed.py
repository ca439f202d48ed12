# refuse: previous values are multiplied
import torch
from torch import Tensor


def second_mixed(x: Tensor, a: float):
    y = x.clone()
    for t in range(2, x.shape[0]):
        y[t] = a * y[t - 1] * y[t - 2] + x[t]
    return y


def cases(rng):
    def R(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32)

    yield "second_mixed", (R(7, 3), 0.5), {}
