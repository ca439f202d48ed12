# expect: ASC108 safe scope=f
"""No layer norm, whose divisor is n: mean and deviation are one call all the same."""

import torch


def f(x: torch.Tensor):
    return (x - x.mean(-1, keepdim=True)) / x.std(-1, keepdim=True)


def cases(rng):
    yield "f", (torch.tensor(rng.normal(size=(5, 3)), requires_grad=True),), {}
