# expect: ASC101 safe scope=red_shadow
from functools import reduce

import torch
from torch import Tensor


def red_shadow(x: Tensor, h: Tensor):
    y = reduce(lambda y, v: 0.5 * y + v * h, x, h)
    return y, h


def cases(rng):
    def R(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32)

    yield "red_shadow", (R(7, 3), R(3)), {}
