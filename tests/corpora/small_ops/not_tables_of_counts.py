# refuse: LOC306 integers outgrow 64 bits, tensors change their type, or a step needs another one
import numpy as np
import torch


def with_tensors(x: torch.Tensor):
    """A number of Python's leaves a tensor its type."""
    n = len(x)
    out = torch.zeros(n, dtype=torch.float64)
    for i in range(n):
        out[i] = x[i] * i
    return out


def of_bytes(n: int):
    x = np.full(n, 200, dtype=np.uint8)
    out = np.zeros(n)
    for i in range(n):
        out[i] = x[i] * i
    return out


def large_powers(n: int):
    out = np.zeros(n, dtype=np.int64)
    for i in range(n):
        out[i] = 3**i % 7
    return out


def large_products(n: int):
    out = np.zeros(n, dtype=np.int64)
    for i in range(n):
        out[i] = (6364136223846793005 * i) % 97
    return out


def four_of_them(n: int):
    out = np.zeros(n)
    for i in range(n):
        out[i] = (i + 1) * (i + 2) * (i + 3) * (i + 4) / 24
    return out


def by_a_large_number(n: int):
    out = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            out[i, j] = i * 10**15 * j
    return out


def summed(x: np.ndarray):
    n = len(x)
    out = np.zeros(n)
    for k in range(n):
        for t in range(n):
            out[k] += x[t] * np.cos(k * t / n)
    return out


def kept(x: np.ndarray):
    n = len(x)
    out = np.zeros(n)
    s = 0.0
    for i in range(n):
        s += i * x[i]
        out[i] = s
    return out


def at_a_place(x: np.ndarray, idx: np.ndarray):
    n = len(idx)
    out = np.zeros(n)
    for i in range(n):
        out[i] = x[idx[i] + i]
    return out


def by_the_step(x: np.ndarray):
    n, m = x.shape
    out = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            out[i, j] = 1 / i if i > j else 0.0
    return out


def cases(rng):
    yield "with_tensors", (torch.randn(5),), {}
    yield "of_bytes", (5,), {}
    yield "large_powers", (70,), {}
    yield "four_of_them", (4,), {}
    yield "by_a_large_number", (4,), {}
    yield "large_products", (70,), {}
    yield "summed", (rng.normal(size=4),), {}
    yield "kept", (rng.normal(size=4),), {}
    yield "at_a_place", (rng.normal(size=9), np.array([0, 2, 1])), {}
    yield "by_the_step", (rng.normal(size=(3, 4)),), {}
