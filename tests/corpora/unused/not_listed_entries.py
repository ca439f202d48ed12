# refuse: slices and lists of a block take every row with every column
import numpy as np
import torch


def block(users: np.ndarray, films: np.ndarray, rows: np.ndarray, columns: np.ndarray):
    return (users @ films.T)[np.ix_(rows, columns)]


def rows_then_columns(users: torch.Tensor, films: torch.Tensor, who: torch.Tensor, what: slice):
    scores = users @ films.T
    return scores[who, what], scores.shape


def kept(users: torch.Tensor, films: torch.Tensor, who: torch.Tensor, what: torch.Tensor):
    scores = users @ films.T
    return scores[who, what], scores.max()


def cases(rng):
    left, right = rng.standard_normal((6, 3)), rng.standard_normal((4, 3))
    yield "block", (left, right, np.array([1, 2]), np.array([0, 3])), {}
    pair = [torch.tensor(each) for each in (left, right)]
    yield "rows_then_columns", (*pair, torch.tensor([1, 2]), slice(0, 2)), {}
    yield "kept", (*pair, torch.tensor([1, 2]), torch.tensor([0, 3])), {}
