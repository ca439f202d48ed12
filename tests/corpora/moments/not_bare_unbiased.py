# refuse: ASC108 the divisor is n - 1
import torch


def f(x: torch.Tensor):
    return (x - x.mean(-1, keepdim=True)) / x.std(-1, keepdim=True)


def cases(rng):
    yield "f", (torch.tensor(rng.normal(size=(5, 3)), requires_grad=True),), {}
