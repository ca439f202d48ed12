# refuse: SPA401 the last class stands for nothing: a row of zeros
import torch
import torch.nn.functional as F


def embedded(labels: torch.Tensor, table: torch.Tensor):
    classes, width = table.shape
    (count,) = labels.shape
    chosen = F.one_hot(labels, classes + 1).float()[:, :-1]
    return chosen @ table


def cases(rng):
    yield "embedded", (torch.tensor([0, 3, 2]), torch.randn(3, 4)), {}
