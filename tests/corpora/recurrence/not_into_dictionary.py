# refuse: the states are kept in a dictionary
import torch


def states(x: torch.Tensor, a: float, out: dict):
    h = torch.zeros_like(x[0])
    for t in range(x.shape[0]):
        h = a * h + x[t]
        out[t] = h
    return out


def cases(rng):
    yield "states", (torch.rand(4, 3), 0.5, {}), {}
    yield "states", (torch.rand(1, 2), 0.9, {}), {}
