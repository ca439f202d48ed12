# refuse: ASC106 what is kept is a part of the array, which changes with it
import torch


def smallest_raised(x: torch.Tensor):
    best = x[0]
    for i in range(1, x.shape[0]):
        if x[i] < best:
            best = x[i]
    best += 1
    return best


def smallest_cleared(x: torch.Tensor):
    best = x[0]
    for i in range(1, x.shape[0]):
        if x[i] < best:
            best = x[i]
    x.zero_()
    return best * 2


def cases(rng):
    yield "smallest_raised", (torch.tensor([3.0, 1.0, 2.0]),), {}
    yield "smallest_cleared", (torch.tensor([3.0, 1.0, 2.0]),), {}
