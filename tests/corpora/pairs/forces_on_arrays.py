# expect: LOC305 advice scope=by_components
# expect: LOC305 safe scope=by_vectors
# expect: LOC305 advice scope=densities
import numpy as np
import torch


def by_components(x: torch.Tensor, y: torch.Tensor, m: torch.Tensor, eps: float):
    assert x.ndim == y.ndim == m.ndim == 1
    dx = x.unsqueeze(0) - x.unsqueeze(1)
    dy = y.unsqueeze(0) - y.unsqueeze(1)
    inv = (dx**2 + dy**2 + eps) ** -1.5
    return (dx * inv * m).sum(1), (dy * inv * m).sum(1)


def by_vectors(x: np.ndarray, m: np.ndarray, eps: float):
    assert x.ndim == 2 and m.ndim == 1
    r = x[None, :, :] - x[:, None, :]
    d2 = (r**2).sum(-1) + eps
    return (m[None, :, None] * r / (d2**1.5)[:, :, None]).sum(1)


def densities(x: np.ndarray, at: np.ndarray, width: float):
    assert x.ndim == 1 and at.ndim == 1
    return np.exp(-(((at[:, None] - x[None, :]) / width) ** 2)).sum(1)


def cases(rng):
    for n in (1, 9):
        x, m = rng.normal(size=(n, 3)), rng.uniform(1, 2, size=n)
        yield "by_components", (*(torch.tensor(each) for each in (*x.T[:2], m)), 0.1), {}
        yield "by_vectors", (x, m, 0.1), {}
        yield "densities", (x[:, 0], m, 0.5), {}
