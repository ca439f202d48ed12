# refuse: RED501 the name of a module is another thing here

import torch
import torch as t


def fill(x: torch.Tensor, t: torch.Tensor):
    while t.sum() < 100:
        t += 20
    return x + t


def other():
    return t.ones(3)


def cases(rng):
    yield "fill", (torch.zeros(3), torch.ones(3)), {}
