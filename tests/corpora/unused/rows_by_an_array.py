# expect: RED509 unsafe scope=first_of_gathered
# expect: RED509 unsafe scope=sum_of_gathered
# may: ASC108 safe scope=standardised

import numpy as np
import torch


def first_of_gathered(table: np.ndarray, places: np.ndarray, weights: np.ndarray):
    n, k = table.shape
    k, m = weights.shape
    return (table[places] @ weights)[0]


def sum_of_gathered(table: torch.Tensor, places: torch.Tensor, weights: torch.Tensor):
    n, k = table.shape
    k, m = weights.shape
    return (table[places] @ weights).sum(0)


def standardised(table: torch.Tensor, places: torch.Tensor):
    n, k = table.shape
    rows = table[places]
    mean = rows.mean(0, keepdim=True)
    variance = ((rows - mean) ** 2).mean(0, keepdim=True)
    return (rows - mean) / torch.sqrt(variance + 1e-5)


def cases(rng):
    for n in (1, 2, 7):
        table, weights = rng.standard_normal((n, 4)), rng.standard_normal((4, 3))
        places = rng.integers(0, n, 5)
        tensors = torch.tensor(table), torch.tensor(places)
        yield "first_of_gathered", (table, places, weights), {}
        yield "sum_of_gathered", (*tensors, torch.tensor(weights)), {}
        yield "standardised", tensors, {}
