# refuse: ASC106 what is kept is an item of the array, which is written afterwards
"""The largest item is a view of an array that changes before it is used."""

import torch


def scaled(x: torch.Tensor):
    best = x[0]
    for i in range(1, len(x)):
        if x[i] > best:
            best = x[i]
    x.mul_(2)
    return best + 1


def emptied(x: torch.Tensor):
    best = x[0]
    for i in range(1, len(x)):
        best = max(best, x[i])
    x[:] = 0
    return best + 1


def of_rows(x: torch.Tensor):
    best = x[0]
    for i in range(1, len(x)):
        best = torch.maximum(best, x[i])
    x[:] = 0
    return best + 1


def itself(x: torch.Tensor):
    t = x[0]
    for i in range(1, len(x)):
        t = torch.maximum(t, x[i])
    t += 1
    return t.sum()


def cases(rng):
    yield "scaled", (torch.rand(4),), {}
    yield "scaled", (torch.rand(1),), {}
    yield "emptied", (torch.rand(4),), {}
    yield "emptied", (torch.rand(1),), {}
    yield "of_rows", (torch.rand(4, 3),), {}
    yield "of_rows", (torch.rand(1, 3),), {}
    yield "itself", (torch.rand(4, 3),), {}
    yield "itself", (torch.rand(1, 3),), {}
