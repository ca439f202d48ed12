# refuse: the array is changed between the two products
import numpy as np
import torch
import torch.nn.functional as F


def cleaned(a, b):
    p = a @ b
    np.nan_to_num(a, copy=False)
    q = a @ b
    return np.isnan(p).any(), q * q


def cleaned_by_place(a, b):
    p = a @ b
    np.nan_to_num(a, False)
    q = a @ b
    return np.isnan(p).any(), q * q


def scaled(a: torch.Tensor, b: torch.Tensor):
    p = a @ b
    F.normalize(b, 2.0, 0, 1e-12, a)
    return p, a @ b


def cases(rng):
    a = rng.normal(size=(3, 3))
    a[0, 1] = np.nan
    yield "cleaned", (a.copy(), rng.normal(size=(3, 3))), {}
    yield "cleaned_by_place", (a.copy(), rng.normal(size=(3, 3))), {}
    yield "scaled", (torch.randn(3, 3), torch.randn(3, 3)), {}
