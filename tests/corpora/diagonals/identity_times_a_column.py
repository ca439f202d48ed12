# expect: SPA402 safe scope=rows_scaled
# expect: SPA402 safe scope=vector_scaled
# expect: SPA402 safe scope=columns_scaled
# expect: SPA402 safe scope=tensor_scaled
# expect: SPA402 safe scope=layer
# expect: SPA402 unsafe scope=layer_of_unknown
import numpy as np
import torch
import torch.nn.functional as F


def rows_scaled(a: np.ndarray, gains: np.ndarray):
    rows, columns = a.shape
    (rows,) = gains.shape
    return (np.eye(rows) * gains[:, None]) @ a


def vector_scaled(a: np.ndarray, gains: np.ndarray):
    (rows,) = a.shape
    (rows,) = gains.shape
    return (gains.reshape(-1, 1) * np.identity(rows)) @ a


def columns_scaled(a: np.ndarray, gains: np.ndarray):
    rows, columns = a.shape
    (columns,) = gains.shape
    return a @ (np.eye(columns) * gains[np.newaxis, :])


def tensor_scaled(a: torch.Tensor, gains: torch.Tensor):
    rows, columns = a.shape
    (rows,) = gains.shape
    diagonal = torch.eye(rows) * gains.unsqueeze(1)
    return diagonal @ a


def layer(a: torch.Tensor, gains: torch.Tensor):
    rows, columns = a.shape
    (columns,) = gains.shape
    return F.linear(a, torch.diagflat(gains))


def layer_of_unknown(a: torch.Tensor, gains: torch.Tensor):
    rows, columns = a.shape
    return F.linear(a, torch.diagflat(gains))


def cases(rng):
    for n, m in ((3, 4), (1, 2), (2, 1)):
        a, rows, columns = rng.normal(size=(n, m)), rng.normal(size=n), rng.normal(size=m)
        yield "rows_scaled", (a, rows), {}
        yield "vector_scaled", (rows, rows[::-1].copy()), {}
        yield "columns_scaled", (a, columns), {}
        tensors = [torch.tensor(each, dtype=torch.float32) for each in (a, rows, columns)]
        yield "tensor_scaled", (tensors[0], tensors[1].requires_grad_()), {}
        yield "layer", (tensors[0], tensors[2].requires_grad_()), {}
        yield "layer_of_unknown", (tensors[0], tensors[2]), {}
