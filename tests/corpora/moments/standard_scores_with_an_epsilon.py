# expect: ASC108 safe scope=f
"""No layer norm, whose epsilon is inside the root: mean and deviation are one call all the same."""

import torch


def f(x: torch.Tensor):
    return (x - x.mean(-1, keepdim=True)) / (x.std(-1, unbiased=False, keepdim=True) + 1e-6)


def cases(rng):
    yield "f", (torch.tensor(rng.normal(size=(5, 3)), requires_grad=True),), {}
