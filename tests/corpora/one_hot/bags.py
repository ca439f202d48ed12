# expect: SPA401 safe scope=total
# expect: SPA401 safe scope=average
# expect: SPA401 safe scope=of_arrays
# expect: SPA401 unsafe scope=Bag.forward
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


def total(ids, table):
    """ids: (B, T), table: (V, D)"""
    return F.one_hot(ids, table.shape[0]).float().sum(1) @ table


def average(ids, table):
    """ids: (T, B), table: (V, D)"""
    counts = F.one_hot(ids, num_classes=len(table)).to(table.dtype).mean(dim=0)
    return torch.matmul(counts, table)


def of_arrays(ids: np.ndarray, table: np.ndarray):
    """ids: (B, T), table: (V, D)"""
    return np.eye(table.shape[0])[ids].sum(axis=1) @ table


class Bag(nn.Module):
    def __init__(self, words, size):
        super().__init__()
        self.words = words
        self.project = nn.Linear(words, size)

    def forward(self, ids):
        """ids: (B, T)"""
        counts = F.one_hot(ids, self.words).float().sum(dim=1)
        return self.project(counts)


def cases(rng):
    for shape in ((4, 5), (1, 1), (3, 2)):
        ids = torch.tensor(rng.integers(0, 7, shape))
        table = torch.tensor(rng.standard_normal((7, 3)).astype("float32"), requires_grad=True)
        yield "total", (ids, table), {}
        yield "average", (ids, table), {}
        yield "of_arrays", (rng.integers(-7, 7, shape), rng.standard_normal((7, 3))), {}
        yield "Bag(7, 3)", (ids,), {}
    single = rng.standard_normal((7, 3)).astype("float32")
    yield "of_arrays", (rng.integers(0, 7, (2, 3)), single), {}
