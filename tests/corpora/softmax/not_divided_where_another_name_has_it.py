# refuse: what is divided in place has another name as well
import torch


def f(x):
    weights = torch.exp(x - torch.max(x, dim=-1, keepdim=True)[0])
    held = weights
    total = torch.sum(weights, dim=-1, keepdim=True)
    weights /= total
    return weights, held


def cases(rng):
    yield "f", (torch.randn(3, 5),), {}
