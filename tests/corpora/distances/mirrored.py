# expect: SEP205 safe scope=roots
# expect: SEP205 safe scope=norms
# expect: SEP205 safe scope=before
# expect: SEP205 safe scope=tensors
# expect: SEP205 safe scope=beside_products
import numpy as np
import torch


def roots(x: np.ndarray):
    n, k = x.shape
    d = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1, n):
            d[i, j] = np.sqrt(np.sum((x[i] - x[j]) ** 2))
            d[j, i] = d[i, j]
    return d


def norms(x: np.ndarray):
    n, k = x.shape
    d = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1, n):
            d[i, j] = d[j, i] = np.linalg.norm(x[i] - x[j])
    return d


def before(x: np.ndarray):
    n, k = x.shape
    d = np.zeros((n, n))
    for i in range(n):
        for j in range(i):
            s = 0.0
            for c in range(k):
                s += np.power(x[i, c] - x[j, c], 2)
            d[i, j] = s
            d[j, i] = s
    return d


def tensors(x: torch.Tensor):
    n, k = x.shape
    d = torch.zeros(n, n)
    for i in range(n):
        for j in range(i + 1, n):
            d[i, j] = (x[i] - x[j]).pow(2).sum().sqrt()
            d[j, i] = d[i, j]
    return d


def beside_products(x: torch.Tensor):
    n, k = x.shape
    d = torch.zeros(n, n)
    for i in range(n):
        for j in range(i + 1, n):
            d[i, j] = (x[i] * x[j]).sum() + ((x[i] - x[j]) ** 2).sum().sqrt()
            d[j, i] = d[i, j]
    return d


def cases(rng):
    for n in (5, 1, 0):
        for name in ("roots", "norms", "before"):
            yield name, (rng.normal(size=(3, 2 * n)).T[::2],), {}
    close = np.array([[1e-9, 0.0], [1e-9, 0.0], [1e-9, 1e-12]])
    yield "roots", (close,), {}
    for name in ("tensors", "beside_products"):
        x = torch.tensor(rng.normal(size=(5, 3)), dtype=torch.float32, requires_grad=True)
        yield name, (x,), {}
        yield name, (torch.tensor(rng.normal(size=(2, 1)), dtype=torch.float32),), {}
