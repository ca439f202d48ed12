# expect: ASC101 safe scope=reduce_zip
import functools

import torch
from torch import Tensor


def reduce_zip(a: Tensor, x: Tensor):
    h = torch.zeros_like(x[0])
    h = functools.reduce(lambda h, ax: ax[0] * h + ax[1], zip(a, x), h)
    return h


def cases(rng):
    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    yield "reduce_zip", (G(7, 3), G(7, 3)), {}
    yield "reduce_zip", (G(1, 3), G(1, 3)), {}
    yield "reduce_zip", (G(5, 1, 1), G(5, 2, 3)), {}
