# expect: LOC301 safe scope=expanded
# expect: LOC301 safe scope=inserted
# expect: LOC301 safe scope=unsqueezed
# expect: LOC301 safe scope=reduced
# expect: LOC301 safe scope=multiplied
import numpy as np
import torch


def expanded(weights: np.ndarray, rates: np.ndarray):
    rows, inner = weights.shape
    inner, columns = rates.shape
    return np.sum(np.expand_dims(weights, 2) * np.expand_dims(rates, 0), axis=1)


def inserted(weights: np.ndarray, rates: np.ndarray):
    """The product stands apart from where the axes are inserted."""
    rows, inner = weights.shape
    inner, columns = rates.shape
    tall = weights[:, :, np.newaxis]
    wide = rates[np.newaxis]
    return (tall * wide).sum(axis=1)


def unsqueezed(weights: torch.Tensor, rates: torch.Tensor):
    rows, inner = weights.shape
    inner, columns = rates.shape
    return torch.sum(torch.unsqueeze(weights, 2) * torch.unsqueeze(rates, 0), dim=1)


def reduced(weights: np.ndarray, rates: np.ndarray):
    rows, inner = weights.shape
    inner, columns = rates.shape
    return np.add.reduce(weights[:, :, None] * rates, axis=1)


def multiplied(weights: torch.Tensor, rates: torch.Tensor):
    rows, inner = weights.shape
    inner, columns = rates.shape
    return torch.mul(weights[:, :, None], rates[None]).sum(1)


def cases(rng):
    for n, k, m in ((4, 3, 5), (1, 1, 2)):
        a, b = rng.random((n, k)), rng.random((k, m))
        yield "expanded", (a, b), {}
        yield "inserted", (a, b), {}
        yield "reduced", (a, b), {}
        yield "unsqueezed", (torch.tensor(a), torch.tensor(b)), {}
        yield "multiplied", (torch.tensor(a), torch.tensor(b)), {}
