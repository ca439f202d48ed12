# expect: ASC101 safe scope=acc_zip
from itertools import accumulate

import torch
from torch import Tensor


def acc_zip(a: Tensor, x: Tensor, h0: Tensor):
    pairs = zip(a.unbind(1), x.unbind(1))
    hs = accumulate(pairs, lambda h, p: p[0] * h + p[1], initial=h0)
    return torch.stack(list(hs)[1:], dim=1)


def cases(rng):
    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    yield "acc_zip", (G(2, 7, 3), G(2, 7, 3), G(2, 3)), {}
    yield "acc_zip", (G(2, 1, 3), G(2, 1, 3), G(2, 3)), {}
