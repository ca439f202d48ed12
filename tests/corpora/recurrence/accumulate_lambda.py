# may: ASC101 any scope=leaky_sums
from itertools import accumulate

import torch


def leaky_sums(x, leak=0.1):
    steps = accumulate(x.unbind(0), lambda level, inflow: (1 - leak) * level + inflow)
    return torch.stack(list(steps))


def cases(rng):
    for T in (1, 2, 25):
        x = torch.tensor(rng.standard_normal((T, 4)), dtype=torch.float32, requires_grad=True)
        yield "leaky_sums", (x,), {}
