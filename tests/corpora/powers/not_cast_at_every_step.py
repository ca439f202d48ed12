# refuse: every product is rounded to single precision
import torch


def decayed(h: torch.Tensor, a: float):
    for _ in range(12):
        h = (h * a).float()
    return h


def cases(rng):
    yield "decayed", (torch.rand(3).double(), 0.5), {}
    yield "decayed", (torch.rand(1), 0.9), {}
