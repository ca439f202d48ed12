# refuse: ASC110 the number of places may be None, which leaves them all
import torch


def largest(x: torch.Tensor, k=None):
    n, d = x.shape
    return x.sort(dim=1, descending=True).values[:, :k]


def cases(rng):
    x = lambda: torch.tensor(rng.normal(size=(3, 4)))
    yield "largest", (x(),), {}
    yield "largest", (x(), 2), {}
