# expect: ASC105 safe scope=acc_torch_max
from itertools import accumulate

import torch
from torch import Tensor


def acc_torch_max(x: Tensor):
    return torch.stack(list(accumulate(x, torch.maximum)))


def cases(rng):
    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    yield "acc_torch_max", (G(7, 3),), {}
    yield "acc_torch_max", (torch.tensor([[1.0, float("nan")], [2.0, 1.0]]),), {}
    yield "acc_torch_max", (G(1, 3),), {}
