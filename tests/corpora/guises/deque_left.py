# expect: ASC101 safe scope=deque_left
from collections import deque

import torch
from torch import Tensor


def deque_left(r: Tensor, gamma: float):
    out = deque()
    g = 0.0
    for t in reversed(range(len(r))):
        g = r[t] + gamma * g
        out.appendleft(g)
    return torch.stack(list(out))


def cases(rng):
    def R(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32)

    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    yield "deque_left", (G(9, 3), 0.9), {}
    yield "deque_left", (R(9), 0.9), {}
