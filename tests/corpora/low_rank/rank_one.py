# expect: SEP202 safe scope=updated
# expect: SEP202 safe scope=householder
# expect: SEP202 safe scope=from_the_left
import numpy as np
import torch


def updated(w: np.ndarray, u: np.ndarray, v: np.ndarray, x: np.ndarray):
    rows, columns = w.shape
    (rows,) = u.shape
    (columns,) = v.shape
    (columns,) = x.shape
    return (w + 0.5 * np.outer(u, v)) @ x


def householder(w: torch.Tensor, u: torch.Tensor, x: torch.Tensor):
    size, size = w.shape
    (size,) = u.shape
    (size,) = x.shape
    reflected = w - u[:, None] * u[None, :]
    return torch.mv(reflected, x)


def from_the_left(w: torch.Tensor, u: torch.Tensor, v: torch.Tensor, x: torch.Tensor):
    rows, columns = w.shape
    (rows,) = u.shape
    (columns,) = v.shape
    (rows,) = x.shape
    return x @ (torch.outer(u, v) + w)


def cases(rng):
    for rows, columns in ((4, 3), (1, 2), (3, 1)):
        w, u, v = (rng.standard_normal(s) for s in ((rows, columns), rows, columns))
        yield "updated", (w, u, v, rng.standard_normal(columns)), {}
        tensors = [torch.tensor(a, requires_grad=True) for a in (w, u, v)]
        yield "from_the_left", (*tensors, torch.tensor(rng.standard_normal(rows))), {}
        square = torch.tensor(rng.standard_normal((rows, rows)), requires_grad=True)
        line = torch.tensor(rng.standard_normal(rows), requires_grad=True)
        yield "householder", (square, tensors[1], line), {}
