# expect: LOC306 safe scope=tables
# expect: LOC306 safe scope=columns
import numpy as np
import torch


def tables(a: np.ndarray, b: np.ndarray):
    out = np.zeros((len(a), a.shape[1], b.shape[1]))
    for i in range(len(a)):
        out[i] = a[i, :, None] * b[i, None, :]
    return out


def columns(a: torch.Tensor, b: torch.Tensor):
    n, d = a.shape
    out = torch.zeros(n, d, 3)
    for i in range(n):
        out[i] = torch.exp(a[i, :, None]) + b[i, None, :]
    return out


def cases(rng):
    for n, d in ((3, 2), (1, 1), (0, 4)):
        yield "tables", (rng.normal(size=(n, d)), rng.normal(size=(n, 3))), {}
        a, b = (torch.from_numpy(rng.normal(size=(n, m))) for m in (d, 3))
        yield "columns", (a.requires_grad_(n > 0), b.requires_grad_(n > 0)), {}
