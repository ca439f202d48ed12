# refuse: the state may stay a Python number
import torch


def last(xs, a: float):
    h = 0.0
    for x in xs:
        h = a * h + x
    return h


def cases(rng):
    yield "last", ([0.5, 0.25], 0.9), {}
    yield "last", (torch.tensor(rng.random((4, 3))), 0.9), {}
