# refuse: slices that an end may cut off, that may count from the end, or of rows
import numpy as np
import torch


def cut_off(x: np.ndarray, h: np.ndarray):
    n, m = x.shape[0], h.shape[0]
    y = np.zeros(n)
    for k in range(m):
        y[k : k + 3] += h[k] * x[k : k + 3]
    return y


def another_length(x: np.ndarray, h: np.ndarray, size: int):
    n, m = x.shape[0], h.shape[0]
    y = np.zeros(size)
    for k in range(m):
        y[k:] += h[k] * x[: n - k]
    return y


def both_from_the_end(x: np.ndarray, h: np.ndarray):
    n, m = x.shape[0], h.shape[0]
    y = np.zeros(n)
    for k in range(m):
        y[: n - k] += h[k] * x[: n - k]
    return y


def begins_before(x: np.ndarray, h: np.ndarray, shift: int):
    n, m = x.shape[0], h.shape[0]
    y = np.zeros(n)
    for k in range(m):
        y[k + shift :] += h[k] * x[: n - k - shift]
    return y


def its_own(y: np.ndarray, h: np.ndarray):
    n, m = y.shape[0], h.shape[0]
    for k in range(m):
        y[k:] += h[k] * y[: n - k]
    return y


def rows(x: torch.Tensor, h: torch.Tensor):
    n, d = x.shape
    m, d = h.shape
    y = torch.zeros(n, d)
    for k in range(m):
        y[k:] += h[k] * x[: n - k]
    return y


def along_another(x: torch.Tensor, h: torch.Tensor):
    (n,) = x.shape
    (m,) = h.shape
    y = torch.zeros(n, n)
    for k in range(m):
        y[k:] += h[k] * x
    return y


def doubled(x: np.ndarray, h: np.ndarray):
    n, m = x.shape[0], h.shape[0]
    y = np.zeros(n)
    for k in range(m):
        y[k:] *= h[k] * x[: n - k]
    return y


def cases(rng):
    for n, m in ((9, 4), (5, 2), (4, 1)):
        x, h = rng.normal(size=n), rng.normal(size=m)
        yield "cut_off", (x, h[: n - 3]), {}
        yield "another_length", (x, h[:1], n), {}
        yield "another_length", (x[:1], h[:1], n), {}
        yield "both_from_the_end", (x, h), {}
        yield "begins_before", (x, h, 1), {}
        yield "its_own", (x, h), {}
        yield "doubled", (x, h), {}
        rows = torch.tensor(rng.normal(size=(n, 3)))
        yield "rows", (rows, rows[:m]), {}
        yield "along_another", (rows[:, 0], rows[:m, 0] ** 0), {}
