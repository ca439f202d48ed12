# refuse: a handler may have bound the weights to something else
import torch


def f(x):
    try:
        weights = torch.exp(x - x.max(dim=-1, keepdim=True).values)
    except IndexError:
        weights = torch.ones(1)
    return weights / weights.sum(dim=-1, keepdim=True)


def cases(rng):
    yield "f", (torch.randn(3, 5),), {}
