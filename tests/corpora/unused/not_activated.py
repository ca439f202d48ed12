# refuse: RED509 the maximum is taken over all rows first
import torch


def first(x: torch.Tensor, w: torch.Tensor):
    n, d = x.shape
    d, _ = w.shape
    return torch.softmax(x @ w, dim=0)[0]


def cases(rng):
    yield "first", (torch.randn(3, 2), torch.randn(2, 4)), {}
