# expect: ASC101 safe scope=reduce_local
import functools

import torch
from torch import Tensor


def reduce_local(x: Tensor, decay: float):
    def step(h, xt):
        return decay * h + xt

    return functools.reduce(step, x.unbind(1), torch.zeros_like(x[:, 0]))


def cases(rng):
    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    yield "reduce_local", (G(2, 7, 3), 0.9), {}
    yield "reduce_local", (G(2, 1, 3), 0.9), {}
