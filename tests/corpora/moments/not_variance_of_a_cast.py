# refuse: ASC108 deviations are in another precision than the tensor
import torch


def spread(x: torch.Tensor):
    centre = x.float().mean(0)
    return ((x - centre) ** 2).mean(0)


def cases(rng):
    yield "spread", (torch.tensor(rng.normal(size=(5, 3))).half(),), {}
