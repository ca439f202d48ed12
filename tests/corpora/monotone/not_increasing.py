# refuse: RED506 a square grows on both sides of zero
import torch


def widest(x: torch.Tensor):
    return torch.square(x).amax(dim=-1)


def cases(rng):
    yield "widest", (torch.randn(3, 5),), {}
