# refuse: the sums are those of the columns
import torch


def by_reshape(x):
    e = torch.exp(x)
    return e / e.sum(dim=0).reshape(-1, 1)


def cases(rng):
    yield "by_reshape", (torch.tensor(rng.standard_normal((4, 4))),), {}
