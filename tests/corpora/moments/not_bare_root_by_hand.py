# refuse: ASC108 a constant row gives numbers by rounding, not NaN
import torch


def f(x: torch.Tensor):
    m = x.mean(-1, keepdim=True)
    return (x - m) / ((x - m) ** 2).mean(-1, keepdim=True).sqrt()


def cases(rng):
    yield "f", (torch.tensor(rng.normal(size=(5, 3)), requires_grad=True),), {}
