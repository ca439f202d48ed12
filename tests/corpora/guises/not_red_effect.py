# refuse: the step appends to a list of its surroundings
from functools import reduce

import torch
from torch import Tensor


def red_effect(x: Tensor, h0: Tensor):
    seen = []

    def step(h, v):
        seen.append(float(v.sum()))
        return 0.5 * h + v

    return reduce(step, x, h0), seen


def cases(rng):
    def R(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32)

    yield "red_effect", (R(7, 3), R(3)), {}
