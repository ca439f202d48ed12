# expect: ASC108 safe scope=layer
# expect: ASC108 safe scope=layer_by_functions
# expect: ASC108 safe scope=rms
# expect: ASC108 safe scope=rms_by_power
"""Norms whose operations are methods or functions instead of operators."""

from __future__ import annotations

import torch


def layer(x: torch.Tensor):
    scale = x.var(-1, unbiased=False, keepdim=True).add(1e-5).rsqrt()
    return x.sub(x.mean(-1, keepdim=True)).mul(scale)


def layer_by_functions(x, weight, bias, eps: float):
    centred = torch.subtract(x, torch.mean(x, -1, keepdim=True))
    spread = torch.mean(torch.square(centred), -1, keepdim=True)
    whole = torch.mul(torch.true_divide(centred, torch.sqrt(torch.add(spread, eps))), weight)
    return torch.add(whole, bias)


def rms(x, weight, eps: float):
    return x.mul(x.square().mean(-1, keepdim=True).add(eps).rsqrt()).mul(weight)


def rms_by_power(x):
    return x / x.pow(2).mean(-1, keepdim=True).add(1e-6).pow(0.5)


def cases(rng):
    def tensor(*shape):
        return torch.from_numpy(rng.standard_normal(shape)).requires_grad_()

    for shape in ((2, 5), (3, 1, 7)):
        x, weight, bias = tensor(*shape), tensor(shape[-1]), tensor(shape[-1])
        yield "layer", (x,), {}
        yield "layer_by_functions", (x, weight, bias, 1e-5), {}
        yield "rms", (x, weight, 1e-5), {}
        yield "rms_by_power", (x,), {}
