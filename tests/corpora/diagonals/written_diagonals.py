# expect: SPA402 safe scope=placed
# expect: SPA402 safe scope=filled
# expect: SPA402 safe scope=repeated
# expect: SPA402 safe scope=columns
# expect: SPA402 safe scope=flat
# expect: SPA402 safe scope=own_places
import numpy as np
import torch


def placed(weights: torch.Tensor, table: torch.Tensor):
    rows, columns = table.shape
    (rows,) = weights.shape
    scale = torch.zeros(rows, rows)
    here = torch.arange(rows)
    scale[here, here] = weights
    return scale @ table


def filled(weights: np.ndarray, table: np.ndarray):
    rows, columns = table.shape
    (rows,) = weights.shape
    scale = np.identity(rows)
    np.fill_diagonal(scale, weights)
    return scale.dot(table)


def repeated(table: torch.Tensor):
    rows, columns = table.shape
    scale = torch.zeros(columns, columns)
    scale.fill_diagonal_(0.25)
    return torch.matmul(table, scale)


def columns(weights: np.ndarray, table: np.ndarray):
    rows, columns = table.shape
    (columns,) = weights.shape
    scale = np.eye(columns)
    scale[np.diag_indices(columns)] = weights
    return table @ scale


def flat(weights: np.ndarray, table: np.ndarray):
    rows, columns = table.shape
    (rows,) = weights.shape
    return np.einsum("ij,jk->ik", np.diagflat(weights), table)


def own_places(weights: np.ndarray, table: np.ndarray):
    rows, columns = table.shape
    (rows,) = weights.shape
    scale = np.zeros((rows, rows))
    scale[np.diag_indices_from(scale)] = weights
    return scale @ table


def cases(rng):
    for rows, columns in ((4, 3), (1, 2), (3, 1), (0, 2)):
        table = rng.standard_normal((rows, columns))
        weights = rng.standard_normal(rows)
        parts = torch.tensor(table, dtype=torch.float32, requires_grad=True)
        line = torch.tensor(weights, dtype=torch.float32, requires_grad=True)
        yield "placed", (line, parts), {}
        yield "repeated", (parts,), {}
        if rows:
            yield "filled", (weights, table), {}
        yield "filled", (weights.astype(np.float32), table.astype(np.float32)), {}
        yield "columns", (rng.standard_normal(columns).astype(np.float32), table), {}
        yield "columns", (np.arange(columns), table.astype(np.float32)), {}
        yield "flat", (weights.astype(np.float32), table.astype(np.float32)), {}
        yield "own_places", (weights.astype(np.float32), table.astype(np.float32)), {}
        yield "own_places", (weights, table.astype(np.complex64)), {}
