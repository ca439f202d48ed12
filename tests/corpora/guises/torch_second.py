# expect: ASC104 safe scope=torch_second
import torch
from torch import Tensor


def torch_second(x: Tensor, a1: float, a2: float):
    y = torch.zeros_like(x)
    y[0] = x[0]
    y[1] = x[1] + a1 * y[0]
    for t in range(2, x.shape[0]):
        y[t] = x[t] + a1 * y[t - 1] - a2 * y[t - 2]
    return y


def cases(rng):
    def R(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32)

    yield "torch_second", (R(9), 0.3, 0.2), {}
    yield "torch_second", (R(9, 2), 0.3, 0.2), {}
    yield "torch_second", (R(2), 0.3, 0.2), {}
