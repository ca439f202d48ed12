# may: ASC108 safe scope=floored
# may: ASC108 safe scope=twice
"""Methods with a word that makes another operation of them: no norm of the library's. (Mean and
variance alone may still be taken together.)"""

from __future__ import annotations

import torch


def floored(x, eps: float):
    mean = x.mean(-1, keepdim=True)
    spread = x.var(-1, keepdim=True, unbiased=False)
    return torch.div(x - mean, torch.sqrt(spread.add(eps)), rounding_mode="floor")


def twice(x, eps: float):
    mean = x.mean(-1, keepdim=True)
    spread = x.var(-1, keepdim=True, unbiased=False)
    return torch.div(x - mean, torch.sqrt(spread.add(eps, alpha=2)))


def half(x, eps: float):
    mean = x.mean(-1, keepdim=True)
    spread = (x - mean).square().mean(-1, keepdim=True)
    return torch.sub(x, mean, alpha=0.5) / torch.sqrt(spread + eps)


def root_of_the_other(x, y):
    return x.mul(y.square().mean(-1, keepdim=True).add(1e-5).rsqrt())


def cases(rng):
    def tensor(*shape):
        return torch.from_numpy(rng.standard_normal(shape)).requires_grad_()

    for name in ("floored", "twice", "half"):
        yield name, (tensor(3, 6), 1e-2), {}
    yield "root_of_the_other", (tensor(3, 6), tensor(3, 6)), {}
