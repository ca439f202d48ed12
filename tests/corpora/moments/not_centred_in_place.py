# refuse: ASC108 the tensor is written before the gradient that needs it
import torch


def spread(x: torch.Tensor):
    y = x * 2
    centre = y.mean(0)
    variance = ((y - centre) ** 2).mean(0)
    y.sub_(centre)
    return y, variance


def cases(rng):
    for shape in (5, 3):
        yield "spread", (torch.tensor(rng.normal(size=shape) + 3, requires_grad=True),), {}
