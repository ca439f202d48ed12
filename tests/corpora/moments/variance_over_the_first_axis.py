# expect: ASC108 safe scope=spread
import torch


def spread(x: torch.Tensor):
    centre = x.mean(0)
    return ((x - centre) ** 2).mean(0)


def cases(rng):
    for shape in ((5, 3), (1, 3), (4, 3, 2), (300, 400)):
        yield "spread", (torch.tensor(rng.normal(size=shape) + 3, requires_grad=True),), {}
