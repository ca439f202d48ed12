# refuse: SPA401 smoothed labels take part of every row
import torch
import torch.nn.functional as F


def targets(labels: torch.Tensor, table: torch.Tensor):
    classes, width = table.shape
    (count,) = labels.shape
    smooth = F.one_hot(labels, classes).float() * 0.9 + 0.1 / classes
    return smooth @ table


def cases(rng):
    yield "targets", (torch.tensor([0, 1, 2]), torch.randn(3, 4)), {}
