# expect: SPA401 unsafe scope=summed
# expect: SPA401 unsafe scope=of_all
import torch
import torch.nn.functional as F


def summed(scores: torch.Tensor, y: torch.Tensor, classes: int):
    n, k = scores.shape
    (n,) = y.shape
    return (F.one_hot(y, classes) * scores).sum(1)


def of_all(scores: torch.Tensor, y: torch.Tensor, classes: int):
    n, k = scores.shape
    (n,) = y.shape
    return (F.one_hot(y, classes) * scores).sum()


def cases(rng):
    for name in ("summed", "of_all"):
        yield name, (torch.randn(3, 5), torch.tensor([0, 0, 0]), 1), {}
        yield name, (torch.randn(3, 1), torch.tensor([0, 1, 1]), 4), {}
        yield name, (torch.randn(3, 4), torch.tensor([0, 1, 3]), 4), {}
