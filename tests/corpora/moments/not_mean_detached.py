# refuse: ASC108 the mean is detached
import torch


def spread(x: torch.Tensor):
    centre = x.mean(0).detach()
    return ((x - centre) ** 2).mean(0)


def cases(rng):
    for shape in (5, 3):
        yield "spread", (torch.tensor(rng.normal(size=shape) + 3, requires_grad=True),), {}
