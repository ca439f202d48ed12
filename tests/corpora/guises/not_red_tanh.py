# refuse: the step is not linear
from functools import reduce

import torch
from torch import Tensor


def red_tanh(x: Tensor, h0: Tensor):
    return reduce(lambda h, v: torch.tanh(0.5 * h + v), x, h0)


def cases(rng):
    def R(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32)

    yield "red_tanh", (R(7, 3), R(3)), {}
