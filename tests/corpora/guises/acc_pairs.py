# expect: ASC101 safe scope=acc_pairs
import itertools
from itertools import accumulate

import torch
from torch import Tensor


def acc_pairs(x: Tensor, g: Tensor):
    h0 = torch.zeros_like(x[0])
    states = accumulate(zip(g, x), lambda h, gx: gx[0] * h + gx[1], initial=h0)
    return torch.stack(list(itertools.islice(states, 1, None)))


def cases(rng):
    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    def U(*s):
        return torch.tensor(rng.random(s), dtype=torch.float32)

    yield "acc_pairs", (G(7, 3), U(7, 3)), {}
    yield "acc_pairs", (G(7, 3), U(7)), {}
    yield "acc_pairs", (G(7, 3), U(5, 3)), {}
