# refuse: RED509 integers wrap, the matrix is kept or changed, or it is another fold
import numpy as np
import torch


def of_bytes(a, b):
    return np.outer(a.astype(np.int8), b.astype(np.int8)).sum()


def changed(a: torch.Tensor, b: torch.Tensor):
    (_,), (_,) = a.shape, b.shape
    weights = torch.outer(a, b)
    weights[0, 0] = 0
    return weights.sum()


def kept(a: torch.Tensor, b: torch.Tensor):
    (_,), (_,) = a.shape, b.shape
    weights = torch.outer(a, b)
    return weights.sum(), weights


def added(a: torch.Tensor, b: torch.Tensor):
    (_,), (_,) = a.shape, b.shape
    return (a[:, None] + b[None]).sum()


def largest(a, b):
    return np.outer(a, b).max()


def cases(rng):
    yield "of_bytes", (rng.integers(0, 100, 5), rng.integers(0, 100, 6)), {}
    yield "largest", (rng.standard_normal(5), rng.standard_normal(6)), {}
    for name in ("changed", "kept", "added"):
        yield name, (torch.randn(5), torch.randn(3)), {}
