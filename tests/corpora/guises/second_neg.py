# expect: ASC104 safe scope=second_neg
import torch
from torch import Tensor


def second_neg(x: Tensor, a: float):
    y = x.clone()
    for t in range(x.shape[0]):
        y[t] = a * y[t - 2] + x[t]
    return y


def cases(rng):
    def R(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32)

    yield "second_neg", (R(7, 3), 0.5), {}
    yield "second_neg", (R(2, 3), 0.5), {}
