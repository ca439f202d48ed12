# expect: RED509 safe scope=scores_of
# expect: RED509 safe scope=error
# expect: RED509 safe scope=of_one_user
# expect: RED509 safe scope=from_columns
import numpy as np
import torch


def scores_of(users: torch.Tensor, films: torch.Tensor, who: torch.Tensor, what: torch.Tensor):
    return (users @ films.T)[who, what]


def error(left: np.ndarray, right: np.ndarray, rows: np.ndarray, columns: np.ndarray, seen):
    estimate = left @ right.T
    residual = seen - estimate[rows, columns]
    return np.sqrt((residual**2).mean())


def of_one_user(users: np.ndarray, films: np.ndarray, user: int, listed: np.ndarray):
    return np.dot(users, films.T)[user, listed]


def from_columns(left: np.ndarray, right: np.ndarray, rows: np.ndarray, columns: np.ndarray):
    return (left @ right)[rows, columns]


def cases(rng):
    rows, columns = rng.integers(0, 6, 9), rng.integers(0, 4, 9)
    left, right = rng.standard_normal((6, 3)), rng.standard_normal((4, 3))
    pair = [torch.tensor(each, requires_grad=True) for each in (left, right)]
    for shape in ((9,), (3, 3), (1, 9)):
        listed = [torch.tensor(each.reshape(shape)) for each in (rows, columns)]
        yield "scores_of", (*pair, *listed), {}
        yield "from_columns", (left, right.T, rows.reshape(shape), columns.reshape(shape)), {}
    yield "scores_of", (*pair, torch.tensor(2), torch.tensor([1, -1])), {}
    yield "scores_of", (*pair, torch.rand(6) > 2, torch.rand(4) > 2), {}
    yield "error", (left, right, rows, columns, rng.standard_normal(9)), {}
    yield "of_one_user", (left, right, 2, columns), {}
    yield "of_one_user", (left.astype(np.float32), right.astype(np.float32), 5, columns[:1]), {}
    whole = rng.integers(-100, 100, (6, 3)).astype(np.int8)
    yield "from_columns", (whole, whole[:4].T, rows, columns), {}
