# refuse: what a handler answers for would be computed behind it
import torch


def f(x):
    try:
        weights = torch.exp(x - x.max(dim=-1, keepdim=True).values)
    except IndexError as problem:
        raise ValueError("scores need an axis") from problem
    return weights / weights.sum(dim=-1, keepdim=True)


def cases(rng):
    yield "f", (torch.randn(3, 5),), {}
