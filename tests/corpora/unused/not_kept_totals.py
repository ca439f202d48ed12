# refuse: RED509 what is added up was converted, is no average, is whole, is not all that is used
import torch


def converted(x: torch.Tensor, y: torch.Tensor):
    n, m = x.shape
    m, k = y.shape
    return (x @ y).sum(1, keepdim=True, dtype=torch.float64)


def largest(x: torch.Tensor, y: torch.Tensor):
    n, m = x.shape
    m, k = y.shape
    return (x @ y).amax(1, keepdim=True)


def whole(x: torch.Tensor, y: torch.Tensor):
    n, m = x.shape
    m, k = y.shape
    return (x.int() @ y.int()).sum(1, keepdim=True)


def squared(x: torch.Tensor, y: torch.Tensor):
    n, m = x.shape
    m, k = y.shape
    return ((x @ y) ** 2).mean(1, keepdim=True)


def spread(x: torch.Tensor, y: torch.Tensor):
    n, m = x.shape
    m, k = y.shape
    scores = x @ y
    return scores - scores.mean(1, keepdim=True)


def cases(rng):
    a, b = (
        torch.tensor(rng.normal(size=(3, 2))).float(),
        torch.tensor(rng.normal(size=(2, 4))).float(),
    )
    for name in ("converted", "largest", "whole", "squared", "spread"):
        yield name, (a.clone(), b.clone()), {}
