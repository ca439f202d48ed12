# refuse: SPA401 each class adds up its samples
import torch
import torch.nn.functional as F


def sums(x: torch.Tensor, labels: torch.Tensor, classes: int):
    samples, width = x.shape
    (samples,) = labels.shape
    return F.one_hot(labels, classes).to(x.dtype).T @ x


def cases(rng):
    yield "sums", (torch.randn(4, 3), torch.tensor([0, 2, 2, 1]), 3), {}
