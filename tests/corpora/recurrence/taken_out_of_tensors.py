# expect: ASC101 safe scope=gated_by_an_item
# expect: ASC101 safe scope=gated_by_a_function
# expect: ASC101 safe scope=gated_by_a_number
import math

import torch


def gated_by_an_item(x: torch.Tensor):
    n, d = x.shape
    h = torch.zeros(d)
    out = []
    for i in range(n):
        h = x[i, 0].item() * h + x[i]
        out.append(h)
    return torch.stack(out)


def gated_by_a_function(x: torch.Tensor):
    n, d = x.shape
    h = torch.zeros(d)
    out = []
    for i in range(n):
        h = math.exp(-(x[i, 0] ** 2)) * h + x[i]
        out.append(h)
    return torch.stack(out)


def gated_by_a_number(x: torch.Tensor):
    n, d = x.shape
    h = torch.zeros(d)
    out = []
    for i in range(n):
        h = float(x[i, 0]) * h + x[i]
        out.append(h)
    return torch.stack(out)


def cases(rng):
    for name in ("gated_by_an_item", "gated_by_a_function", "gated_by_a_number"):
        yield name, (torch.randn(7, 3, requires_grad=True),), {}
        yield name, (torch.randn(1, 2),), {}
