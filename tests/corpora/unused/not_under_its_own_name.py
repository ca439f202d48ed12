# refuse: RED509 the name means the product where something else reads it
import torch


def returned(x: torch.Tensor, w: torch.Tensor):
    n, k = x.shape
    k, m = w.shape
    x = x @ w
    y = x.sum(1)
    return y, x


def at_its_best(x: torch.Tensor, w: torch.Tensor):
    n, k = x.shape
    k, m = w.shape
    x = x @ w
    return x[x[:, 0].argmax()]


def in_one_branch(x: torch.Tensor, w: torch.Tensor, twice: bool):
    n, k = x.shape
    k, m = w.shape
    y = x @ w
    if twice:
        x = x * 2
    return y[0], x


def scaled_in_place(x: torch.Tensor, w: torch.Tensor):
    n, k = x.shape
    k, m = w.shape
    y = x @ w
    x *= 2
    return y.sum(1)


def cases(rng):
    for name in ("returned", "at_its_best", "scaled_in_place"):
        yield name, (torch.randn(3, 5), torch.randn(5, 4)), {}
    for twice in (True, False):
        yield "in_one_branch", (torch.randn(3, 5), torch.randn(5, 4), twice), {}
