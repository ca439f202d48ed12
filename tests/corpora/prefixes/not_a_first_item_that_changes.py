# refuse: ASC105 the list holds a row of the array, which is emptied before the list is joined
"""A list that begins with a view of what changes before it is joined."""

import torch


def sums(x: torch.Tensor):
    t = x[0]
    out = [t]
    for i in range(1, len(x)):
        t = t + x[i]
        out.append(t)
    x.zero_()
    return torch.stack(out)


def cases(rng):
    yield "sums", (torch.rand(4, 3),), {}
    yield "sums", (torch.rand(1, 3),), {}
