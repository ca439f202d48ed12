# refuse: RED502 the name stands for something else the second time

import torch


def twice_applied(x: torch.Tensor, w: torch.Tensor):
    first = torch.tanh(x @ w)
    x = first
    second = torch.tanh(x @ w)
    return first + second


def cases(rng):
    x, w = (torch.from_numpy(rng.normal(size=(3, 3))).float() for _ in "ab")
    yield "twice_applied", (x, w), {}
