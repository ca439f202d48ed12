# refuse: SPA401 a row may have several places, or others than zeros beside them
import numpy as np
import torch


def several(places: torch.Tensor, table: torch.Tensor):
    (n, _), (rows, _) = places.shape, table.shape
    hot = torch.zeros(n, rows)
    hot.scatter_(1, places, 1.0)
    return hot @ table


def twice(places: torch.Tensor, others: torch.Tensor, table: torch.Tensor):
    (n,), (n,), (rows, _) = places.shape, others.shape, table.shape
    hot = torch.zeros(n, rows)
    hot.scatter_(1, places.unsqueeze(1), 1.0)
    hot.scatter_(1, others.unsqueeze(1), 1.0)
    return hot @ table


def of_ones(places: np.ndarray, table: np.ndarray):
    (n,), (rows, _) = places.shape, table.shape
    hot = np.ones((n, rows))
    hot[np.arange(n), places] = 0
    return hot @ table


def at_pairs(first: np.ndarray, places: np.ndarray, table: np.ndarray):
    (n,), (n,), (rows, _) = first.shape, places.shape, table.shape
    hot = np.zeros((n, rows))
    hot[first, places] = 1
    return hot @ table


def of_fewer_rows(places: np.ndarray, table: np.ndarray):
    (n,), (rows, _) = places.shape, table.shape
    hot = np.zeros((n + 1, rows))
    hot[np.arange(n), places] = 1
    return hot @ table


def of_other_numbers(places: np.ndarray, table: np.ndarray):
    (n,), (rows, _) = places.shape, table.shape
    hot = np.zeros((n, rows))
    hot[np.arange(n), places] = 2
    return hot @ table


def cases(rng):
    table = rng.standard_normal((5, 3))
    yield "several", (torch.tensor([[4, 0], [1, 1]]), torch.randn(5, 3)), {}
    yield "twice", (torch.tensor([4, 0]), torch.tensor([4, 1]), torch.randn(5, 3)), {}
    for name in ("of_ones", "of_fewer_rows", "of_other_numbers"):
        yield name, (np.array([4, 0, 2]), table), {}
    yield "at_pairs", (np.array([0, 0, 1]), np.array([4, 0, 2]), table), {}
