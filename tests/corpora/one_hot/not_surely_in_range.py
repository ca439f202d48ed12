# expect: SPA401 unsafe scope=looked_up
# expect: SPA401 unsafe scope=by_method
# expect: SPA401 unsafe scope=one_by_one
import numpy as np
import torch
import torch.nn.functional as F


def looked_up(labels: torch.Tensor, table: torch.Tensor):
    classes, width = table.shape
    (count,) = labels.shape
    chosen = (labels[:, None] == torch.arange(classes)).float()
    return chosen @ table


def by_method(labels: np.ndarray, table: np.ndarray):
    classes, width = table.shape
    (count,) = labels.shape
    chosen = np.equal(np.arange(classes), labels[:, None]).astype(table.dtype)
    return np.dot(chosen, table)


def one_by_one(labels: torch.Tensor, table: torch.Tensor):
    classes, width = table.shape
    (count,) = labels.shape
    chosen = torch.stack([F.one_hot(label, classes) for label in labels])
    return torch.matmul(chosen.to(table.dtype), table)


def cases(rng):
    yield "looked_up", (torch.tensor([0, -1, 2]), torch.randn(3, 4)), {}
    yield "by_method", (np.array([0, 5, 2]), rng.standard_normal((3, 4))), {}
    yield "one_by_one", (torch.tensor([0, 1, 2]), torch.randn(3, 4)), {}
