# expect: ASC108 safe scope=f
import torch


def f(x: torch.Tensor):
    mean = x.mean()
    var = (x * x).mean() - mean**2
    return mean, var


def cases(rng):
    yield "f", (torch.tensor(rng.normal(size=(5, 3)), requires_grad=True),), {}
    yield "f", (torch.tensor(rng.normal(size=(5,)), requires_grad=True),), {}
    yield "f", (torch.tensor(2.0, requires_grad=True),), {}
