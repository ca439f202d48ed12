# expect: RED509 safe scope=first
# expect: RED509 safe scope=totals
# expect: RED509 safe scope=normalised
import torch


def first(x: torch.Tensor, w: torch.Tensor):
    n, k = x.shape
    k, m = w.shape
    x = x @ w
    return x[0]


def totals(x: torch.Tensor, w: torch.Tensor):
    n, k = x.shape
    k, m = w.shape
    x = x @ w
    x = x.sum(1)
    return x


def normalised(x: torch.Tensor, w: torch.Tensor):
    n, k = x.shape
    k, m = w.shape
    x = x.relu()
    x = x @ w
    return x[:, 0]


def cases(rng):
    for rows in (3, 1):
        for name in ("first", "totals", "normalised"):
            x, w = torch.randn(rows, 5, requires_grad=True), torch.randn(5, 4, requires_grad=True)
            yield name, (x, w), {}
