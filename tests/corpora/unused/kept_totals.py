# expect: RED509 safe scope=of_rows
# expect: RED509 safe scope=of_columns
# expect: RED509 safe scope=of_all
# expect: RED509 safe scope=averages
# expect: RED509 safe scope=by_name
# expect: RED509 safe scope=of_arrays
# expect: RED509 safe scope=centred
import numpy as np
import torch


def of_rows(x: torch.Tensor, y: torch.Tensor):
    n, m = x.shape
    m, k = y.shape
    return (x @ y).sum(dim=1, keepdim=True)


def of_columns(x: torch.Tensor, y: torch.Tensor):
    n, m = x.shape
    m, k = y.shape
    return torch.sum(x @ y, 0, True)


def of_all(x: torch.Tensor, y: torch.Tensor):
    n, m = x.shape
    m, k = y.shape
    return torch.mm(x, y).sum(dim=(0, 1), keepdim=True)


def averages(x: torch.Tensor, y: torch.Tensor):
    n, m = x.shape
    m, k = y.shape
    return (x @ y).mean(-1)


def by_name(x: torch.Tensor, y: torch.Tensor):
    n, m = x.shape
    m, k = y.shape
    scores = torch.matmul(x, y)
    return scores.mean(dim=0, keepdim=True)


def of_arrays(x, y):
    a, b = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    n, m = a.shape
    m, k = b.shape
    return np.sum(a @ b, axis=1, keepdims=True)


def centred(x, y):
    a, b = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    n, m = a.shape
    m, k = b.shape
    return a - a.dot(b).mean(axis=-1, keepdims=True)


def cases(rng):
    for n, m, k in ((4, 3, 5), (1, 2, 1), (2, 1, 1), (3, 3, 3)):
        a, b = rng.normal(size=(n, m)), rng.normal(size=(m, k))
        for name in ("of_rows", "of_columns", "of_all", "averages", "by_name"):
            yield name, (torch.tensor(a, requires_grad=True), torch.tensor(b)), {}
        for name in ("of_arrays", "centred"):
            yield name, (a.copy(), b.copy()), {}
