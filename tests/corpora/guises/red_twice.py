# expect: ASC101 safe scope=red_twice
from functools import reduce

import torch
from torch import Tensor


def red_twice(x: Tensor, h: Tensor):
    h = reduce(lambda s, v: 0.5 * s + v + h, x, h)
    return h


def cases(rng):
    def R(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32)

    yield "red_twice", (R(7, 3), R(3)), {}
