# expect: ASC106 safe scope=absolute
# expect: ASC106 safe scope=in_the_cells
# expect: ASC106 safe scope=deviations
# expect: ASC106 safe scope=city_blocks
# expect: ASC106 safe scope=roots
"""What is added up for each cell is a function of elements."""

import numpy as np
import torch


def absolute(x: np.ndarray):
    n, d = x.shape
    out = np.zeros(n)
    for i in range(n):
        total = 0.0
        for k in range(d):
            total += abs(x[i, k])
        out[i] = total
    return out


def in_the_cells(x: np.ndarray):
    n, m = x.shape
    out = np.zeros(n)
    for i in range(n):
        for j in range(m - 1):
            out[i] += abs(x[i, j + 1] - x[i, j])
    return out


def deviations(x: np.ndarray, center: np.ndarray):
    n, _ = x.shape
    (d,) = center.shape
    out = np.zeros(d)
    for j in range(d):
        total = 0.0
        for i in range(n):
            total += abs(x[i, j] - center[j])
        out[j] = total / n
    return out


def city_blocks(x: np.ndarray, y: np.ndarray):
    n, d = x.shape
    m, _ = y.shape
    out = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            for k in range(d):
                out[i, j] += abs(x[i, k] - y[j, k])
    return out


def roots(x: torch.Tensor):
    n, d = x.shape
    out = torch.zeros(n)
    for i in range(n):
        for k in range(d):
            out[i] += torch.sqrt(x[i, k])
    return out


def cases(rng):
    for n, m, d in ((5, 4, 3), (1, 1, 1), (2, 7, 1)):
        x = rng.normal(size=(n, d))
        yield "absolute", (x,), {}
        yield "absolute", (rng.integers(-9, 9, size=(n, d)),), {}
        yield "in_the_cells", (x,), {}
        yield "deviations", (x, rng.normal(size=d)), {}
        yield "city_blocks", (x, rng.normal(size=(m, d))), {}
        yield "roots", (torch.rand(n, d, requires_grad=True),), {}
