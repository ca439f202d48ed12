# refuse: arrays of one library are put number by number into an array of the other
import numpy as np
import torch


def doubled(x: torch.Tensor):
    (n,) = x.shape
    out = np.zeros(n)
    for i in range(n):
        out[i] = x[i] * 2
    return out


def products(x: torch.Tensor, y: torch.Tensor):
    n, d = x.shape
    m, d = y.shape
    out = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            out[i, j] = x[i] @ y[j]
    return out


def distances(x: torch.Tensor, y: torch.Tensor):
    n, d = x.shape
    m, d = y.shape
    out = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            out[i, j] = ((x[i] - y[j]) ** 2).sum()
    return out


def as_tensor(x: np.ndarray):
    (n,) = x.shape
    out = torch.zeros(n)
    for i in range(n):
        out[i] = x[i] * 2
    return out


def cases(rng):
    def T(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32)

    for n in (1, 4):
        yield "doubled", (T(n),), {}
        yield "products", (T(n, 3), T(2, 3)), {}
        yield "distances", (T(n, 3), T(2, 3)), {}
        yield "as_tensor", (rng.standard_normal(n),), {}
