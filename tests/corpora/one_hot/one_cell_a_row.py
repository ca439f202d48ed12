# expect: SPA401 safe scope=looked_up
# expect: SPA401 safe scope=beside
import numpy as np
import torch


def looked_up(places: np.ndarray, table: np.ndarray):
    (n,), (rows, _) = places.shape, table.shape
    hot = np.zeros((n, rows))
    hot[np.arange(n), places] = 1
    return hot.dot(table)


def beside(places: torch.Tensor, table: torch.Tensor):
    (n,), (rows, _) = places.shape, table.shape
    each = torch.arange(n)
    hot = torch.zeros(n, rows)
    hot[each, places] = 1.0
    return hot @ table


def cases(rng):
    yield "looked_up", (np.array([4, 0, -1, 2]), rng.standard_normal((5, 3))), {}
    yield "looked_up", (np.array([0]), rng.standard_normal((2, 3)).astype(np.float32)), {}
    yield "beside", (torch.tensor([4, 0, -1]), torch.randn(5, 3, requires_grad=True)), {}
