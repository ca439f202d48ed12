# refuse: RED505 the places of the elements are used as well
import torch


def ends(x: torch.Tensor):
    (n,) = x.shape
    values, order = torch.sort(x)
    return values[-1], order[n // 2]


def cases(rng):
    yield "ends", (torch.randn(5),), {}
