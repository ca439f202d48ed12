# expect: ASC108 advice scope=f
import torch


def f(x: torch.Tensor):
    n = x.shape[1]
    s = x.sum(1)
    q = (x * x).sum(1)
    return (q - s * s / n) / (n - 1)


def cases(rng):
    yield "f", (torch.tensor(rng.normal(size=(5, 3)), requires_grad=True),), {}
