# refuse: RED509 the product is made once and read row by row
import torch


def rows(x: torch.Tensor, w: torch.Tensor, each):
    n, d = x.shape
    d, _ = w.shape
    every = x @ w
    return [every[i].sum() for i in each]


def cases(rng):
    yield "rows", (torch.randn(4, 3), torch.randn(3, 2), [0, 2, 1]), {}
