# refuse: the values are kept in a list, whose items are tensors of their own
import torch


def clipped(x: torch.Tensor):
    out = [None] * x.shape[0]
    h = torch.zeros_like(x[0])
    for t in range(x.shape[0]):
        h = torch.relu(h + x[t])
        out[t] = h
    return out


def cases(rng):
    yield "clipped", (torch.randn(9, 3),), {}
    yield "clipped", (torch.randn(1, 2),), {}
