# refuse: ASC108 the mean is that of each row
import torch


def f(x: torch.Tensor):
    return ((x - x.mean(-1, keepdim=True)) ** 2).mean()


def cases(rng):
    yield "f", (torch.tensor(rng.normal(size=(5, 3)), requires_grad=True),), {}
