# refuse: every total is rounded to single precision
import torch


def total(x: torch.Tensor):
    s = torch.zeros(x.shape[1])
    for t in range(x.shape[0]):
        s = (s + x[t].double()).type_as(s)
    return s


def cases(rng):
    yield "total", (torch.randn(9, 3),), {}
    yield "total", (torch.randn(1, 2),), {}
