# refuse: RED509 another diagonal is taken
import torch


def next_ones(x: torch.Tensor):
    n, d = x.shape
    return torch.diagonal(x @ x.T, offset=1)


def cases(rng):
    yield "next_ones", (torch.randn(4, 3),), {}
