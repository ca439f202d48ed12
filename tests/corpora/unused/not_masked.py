# refuse: RED509 a mask of both axes picks entries of the product
import torch


def picked(x: torch.Tensor, y: torch.Tensor, mask):
    n, d = x.shape
    m, d = y.shape
    return (x @ y.T)[mask]


def cases(rng):
    yield "picked", (torch.randn(3, 2), torch.randn(3, 2), torch.eye(3).bool()), {}
