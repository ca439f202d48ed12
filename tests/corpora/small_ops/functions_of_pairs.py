# expect: LOC306 safe scope=city_blocks
# expect: LOC306 safe scope=largest
# expect: LOC306 safe scope=of_a_function
# expect: LOC306 safe scope=tensors
"""All pairs of rows at once would be too much: one row after the other meets all others."""

import numpy as np
import torch


def city_blocks(x: np.ndarray, y: np.ndarray, scale: float):
    n, _ = x.shape
    m, _ = y.shape
    out = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            out[i, j] = np.exp(-np.sum(np.abs(x[i] - y[j])) / scale)
    return out


def largest(x: np.ndarray, y: np.ndarray):
    n, _ = x.shape
    m, _ = y.shape
    out = np.zeros((n, m))
    for i in range(n):
        row = 2 * x[i]
        for j in range(m):
            out[i, j] = np.max(np.abs(row - y[j]))
    return out


def chi_squared(a, b):
    difference = a - b
    return np.sum(difference**2 / (a + b + 1e-9))


def of_a_function(x: np.ndarray, y: np.ndarray):
    n, _ = x.shape
    m, _ = y.shape
    out = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            out[i, j] = chi_squared(x[i], y[j])
    return out


def tensors(x: torch.Tensor, y: torch.Tensor):
    n, _ = x.shape
    m, _ = y.shape
    out = torch.zeros(n, m)
    for i in range(n):
        for j in range(m):
            out[i, j] = (x[i] - y[j]).abs().sum()
    return out


def cases(rng):
    for n, m, d in ((5, 4, 3), (1, 1, 1), (2, 7, 1)):
        x, y = rng.random(size=(n, d)), rng.random(size=(m, d))
        yield "city_blocks", (x, y, 0.7), {}
        yield "largest", (x, y), {}
        yield "of_a_function", (x, y), {}
        pair = [torch.tensor(each, dtype=torch.float32, requires_grad=True) for each in (x, y)]
        yield "tensors", tuple(pair), {}
