# expect: ASC106 safe scope=total
import torch


def total(x):
    acc = 0
    for row in x.unbind(0):
        acc = acc + row
    return acc


def cases(rng):
    yield "total", (torch.randn(5, 3, requires_grad=True),), {}
    yield "total", (torch.randn(1, 3, requires_grad=True),), {}
