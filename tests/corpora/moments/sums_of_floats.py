# expect: ASC108 safe scope=f
import torch


def f(x: torch.Tensor):
    x = x.to(torch.float32)
    n = x.shape[0]
    return x.pow(2).sum(0) / n - (x.sum(0) / n) ** 2


def cases(rng):
    yield "f", (torch.tensor(rng.normal(size=(5, 3)), dtype=torch.float32, requires_grad=True),), {}
    yield "f", (torch.tensor(rng.integers(0, 9, size=(5, 3))),), {}
