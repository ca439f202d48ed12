# refuse: ASC108 the divisor is the length of one axis
import torch


def f(x: torch.Tensor):
    return ((x - x.mean()) ** 2).sum() / (x.shape[0] - 1)


def cases(rng):
    yield "f", (torch.tensor(rng.normal(size=(5, 3)), requires_grad=True),), {}
