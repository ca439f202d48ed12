# refuse: ASC108 the mean is not over the count
import torch


def f(x: torch.Tensor):
    n = x.shape[0]
    return x.pow(2).sum(0) / n - (x.sum(0) / (n - 1)) ** 2


def cases(rng):
    yield "f", (torch.tensor(rng.normal(size=(5, 3)), requires_grad=True),), {}
