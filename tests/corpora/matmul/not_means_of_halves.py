# refuse: the mean of numbers in half precision is computed in single precision
import numpy as np
import torch


def in_half(x: torch.Tensor, y: torch.Tensor):
    n, d = x.shape
    m, d = y.shape
    return (x.half()[:, None] * y.half()).float().mean(-1)


def of_rows(x: np.ndarray, y: np.ndarray):
    n, d = x.shape
    m, d = y.shape
    return (x[:, None, :] * y[None, :, :]).mean(0)


def cases(rng):
    for n, m, d in ((4, 3, 5), (1, 2, 1)):
        yield "in_half", (torch.rand(n, d), torch.rand(m, d)), {}
        yield "of_rows", (rng.random((n, d)), rng.random((m, d))), {}
