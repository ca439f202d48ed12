# expect: ASC101 safe scope=reduce_lambda
from functools import reduce

import torch
from torch import Tensor


def reduce_lambda(a: Tensor, x: Tensor, h0: Tensor):
    return reduce(lambda h, t: a[:, t] * h + x[:, t], range(x.shape[1]), h0)


def cases(rng):
    def R(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32)

    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    yield "reduce_lambda", (G(2, 7, 3), G(2, 7, 3), G(2, 3)), {}
    yield "reduce_lambda", (R(2, 0, 3), R(2, 0, 3), R(2, 3)), {}
