# expect: ASC106 safe scope=total
# expect: ASC106 safe scope=largest
# expect: ASC106 safe scope=product
import torch


def total(losses):
    s = 0
    for loss in losses:
        s = s + loss
    return s


def largest(values):
    best = values[0]
    for value in values[1:]:
        if value > best:
            best = value
    return best


def product(factors):
    p = 1
    for factor in factors:
        p *= factor
    return p


def cases(rng):
    numbers = [float(n) for n in rng.random(5)]
    for values in (numbers, numbers[:1], [3, 1, 2], rng.random(4)):
        yield "total", (values,), {}
        yield "largest", (values,), {}
        yield "product", (values,), {}
    yield "total", ([],), {}
    yield "total", (torch.tensor(rng.random((3, 2)), requires_grad=True),), {}
    yield "product", (torch.tensor(rng.random((3, 2)), requires_grad=True),), {}
