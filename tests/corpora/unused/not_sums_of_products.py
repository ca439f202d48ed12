# refuse: RED509 what is summed is changed before, used elsewhere, counted, or off the diagonal
import numpy as np
import torch


def changed(a: torch.Tensor, b: torch.Tensor):
    rows, size = a.shape
    size, columns = b.shape
    return (a @ b).relu().sum()


def elsewhere(a: np.ndarray, b: np.ndarray):
    rows, size = a.shape
    size, columns = b.shape
    product = a @ b
    return product.sum(), product.max()


def counted(a: np.ndarray, b: np.ndarray):
    rows, size = a.shape
    size, columns = b.shape
    return (a.astype(np.int32) @ b.astype(np.int32)).sum()


def beside(a: np.ndarray, b: np.ndarray):
    rows, size = a.shape
    size, rows = b.shape
    product = a @ b
    return sum(product[i, i] for i in range(rows - 1))


def largest(a: np.ndarray, b: np.ndarray):
    rows, size = a.shape
    size, rows = b.shape
    product = a @ b
    return max(product[i, i] for i in range(rows))


def cases(rng):
    a, b = rng.standard_normal((4, 3)), rng.standard_normal((3, 4))
    yield "changed", (torch.tensor(a), torch.tensor(b)), {}
    for name in ("elsewhere", "counted", "beside", "largest"):
        yield name, (a, b), {}
