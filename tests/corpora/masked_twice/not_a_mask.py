# refuse: RED512 the factor may be another number, it is another one, or the product is kept
import numpy as np
import torch


def weights(x: torch.Tensor, m: torch.Tensor):
    h = x * m
    return (h * m).sum()


def counts(x: torch.Tensor, a: torch.Tensor):
    m = (a > 0).float() + (a > 1).float()
    h = x * m
    return (h * m).sum()


def other(x: torch.Tensor, a: torch.Tensor):
    m = (a > 0).float()
    h = x * m
    m = (a > 1).float()
    return (h * m).sum()


def changed(x: np.ndarray, a: np.ndarray):
    m = (a > 0).astype(float)
    h = x * m
    m[0] = 3.0
    return np.sum(h * m)


def changed_sum(x: np.ndarray, a: np.ndarray):
    m = (a > 0).astype(float)
    h = x * m
    h += 1
    return np.sum(h * m)


def turned(x: torch.Tensor, a: torch.Tensor):
    m = (a > 0).to(x.dtype)
    h = x * m
    return (h * m.T).sum()


def added(x: torch.Tensor, a: torch.Tensor):
    m = (a > 0).to(x.dtype)
    h = x + m
    return (h * m).sum()


def kept(x: torch.Tensor, a: torch.Tensor):
    m = (a > 0).to(x.dtype)
    h = x * m
    again = h * m
    again += 1
    return h, again


def cases(rng):
    x, a = rng.normal(size=(3, 3)), rng.normal(size=(3, 3))
    for name in ("weights", "counts", "other", "turned", "added", "kept"):
        yield name, (torch.tensor(x, requires_grad=True), torch.tensor(a)), {}
    yield "changed", (x, a), {}
    yield "changed_sum", (x, a), {}
