# refuse: ASC108 the mean is over another axis than the squares
import torch


def spread(x: torch.Tensor):
    centre = x.mean(0)
    return ((x - centre) ** 2).mean(1)


def cases(rng):
    for shape in ((3, 3), (1, 1)):
        yield "spread", (torch.tensor(rng.normal(size=shape) + 3, requires_grad=True),), {}
