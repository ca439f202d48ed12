# expect: RED509 safe scope=everything
# expect: RED509 safe scope=columns
# expect: RED509 unsafe scope=by_hand
# expect: RED509 unsafe scope=masked
# expect: RED509 safe scope=rows
# expect: RED509 safe scope=of_a_call
# expect: RED509 safe scope=by_a_function
# expect: RED509 safe scope=named_before
import numpy as np
import torch


def everything(a: np.ndarray, b: np.ndarray):
    rows, size = a.shape
    size, columns = b.shape
    product = a @ b
    return product.sum()


def columns(a: torch.Tensor, b: torch.Tensor):
    rows, size = a.shape
    size, columns = b.shape
    return torch.mm(a, b).sum(dim=0)


def rows(a: torch.Tensor, b: torch.Tensor):
    rows, size = a.shape
    size, columns = b.shape
    return (a @ b).sum(1) * 2


def of_a_call(a: torch.Tensor, b: torch.Tensor):
    rows, size = a.shape
    size, columns = b.shape
    return torch.matmul(a, b).sum()


def by_a_function(a: np.ndarray, b: np.ndarray):
    rows, size = a.shape
    size, columns = b.shape
    return np.sum(a @ b, axis=0)


def named_before(a: np.ndarray, b: np.ndarray):
    rows, size = a.shape
    size, columns = b.shape
    product = a @ b
    return np.sum(product, axis=0)


def by_hand(a: np.ndarray, b: np.ndarray):
    rows, size = a.shape
    size, rows = b.shape
    product = a @ b
    return sum(product[i, i] for i in range(product.shape[0]))


def masked(a: torch.Tensor, b: torch.Tensor):
    rows, size = a.shape
    size, rows = b.shape
    return (torch.eye(rows) * (a @ b)).sum()


def cases(rng):
    for rows, size, columns in ((4, 3, 5), (1, 2, 1), (3, 1, 2), (2, 0, 3)):
        a, b = rng.standard_normal((rows, size)), rng.standard_normal((size, columns))
        yield "everything", (a, b), {}
        yield "columns", (torch.tensor(a, requires_grad=True), torch.tensor(b)), {}
        yield "of_a_call", (torch.tensor(a), torch.tensor(b, requires_grad=True)), {}
        yield "by_a_function", (a, b), {}
        yield "named_before", (a, b), {}
        yield "rows", (torch.tensor(a), torch.tensor(b, requires_grad=True)), {}
        back = rng.standard_normal((size, rows))
        yield "by_hand", (a, back), {}
        yield "masked", (torch.tensor(a), torch.tensor(back)), {}
