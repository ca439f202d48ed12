# refuse: SPA402 what is off the diagonal, or what else is written, is not zero
import numpy as np
import torch


def of_ones(weights: np.ndarray, table: np.ndarray):
    rows, columns = table.shape
    scale = np.ones((rows, rows))
    scale[np.diag_indices(rows)] = weights
    return scale @ table


def one_more(weights: np.ndarray, table: np.ndarray):
    rows, columns = table.shape
    scale = np.eye(rows)
    scale[np.diag_indices(rows)] = weights
    scale[0, -1] = 3.0
    return scale @ table


def later(weights: np.ndarray, table: np.ndarray):
    rows, columns = table.shape
    scale = np.zeros((rows, rows))
    np.fill_diagonal(scale, weights)
    weights[0] = 4.0
    return scale @ table


def on_top(weights: np.ndarray, table: np.ndarray):
    rows, columns = table.shape
    scale = np.eye(rows)
    scale[np.diag_indices(rows)] += weights
    return scale @ table


def elsewhere(weights: np.ndarray, table: np.ndarray, places: np.ndarray):
    rows, columns = table.shape
    scale = np.zeros((rows, rows))
    scale[np.arange(rows), places] = weights
    return scale @ table


def by_another_name(table: torch.Tensor):
    rows, columns = table.shape
    scale = torch.zeros(rows, rows)
    scale.fill_diagonal_(2.0)
    same = scale
    same[0, -1] = 1.0
    return scale @ table


def filled_ones(table: torch.Tensor):
    rows, columns = table.shape
    scale = torch.ones(rows, rows)
    scale.fill_diagonal_(2.0)
    return scale @ table


def cases(rng):
    for rows, columns in ((4, 3), (2, 1)):
        table, weights = rng.standard_normal((rows, columns)), rng.standard_normal(rows)
        for name in ("of_ones", "one_more", "later", "on_top"):
            yield name, (weights.copy(), table), {}
        yield "elsewhere", (weights, table, np.arange(rows)[::-1].copy()), {}
        yield "by_another_name", (torch.tensor(table, dtype=torch.float32),), {}
        yield "filled_ones", (torch.tensor(table, dtype=torch.float32),), {}
