# expect: ASC101 safe scope=ahead
import torch
from torch import Tensor


def ahead(x: Tensor, a: float):
    y = x.clone()
    for t in range(1, x.shape[0] - 1):
        y[t] = a * y[t - 1] + y[t + 1]
    return y


def cases(rng):
    def R(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32)

    yield "ahead", (R(7, 3), 0.5), {}
