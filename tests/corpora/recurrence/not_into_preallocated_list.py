# refuse: the states are kept in a list, whose items are tensors of their own
import torch


def states(x: torch.Tensor, a: float):
    out = [None] * x.shape[0]
    h = torch.zeros_like(x[0])
    for t in range(x.shape[0]):
        h = a * h + x[t]
        out[t] = h
    for state in out:
        state *= 2
    return out


def cases(rng):
    yield "states", (torch.rand(4, 3, requires_grad=True), 0.5), {}
    yield "states", (torch.rand(1, 2), 0.9), {}
