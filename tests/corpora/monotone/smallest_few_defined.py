# expect: RED506 unsafe scope=nearest
import torch


def nearest(x, y):
    n, d = x.shape
    m, d = y.shape
    squares = (x**2).sum(1)[:, None] + (y**2).sum(1) - 2 * x @ y.T
    return torch.sqrt(squares).topk(2, dim=1, largest=False).values


def cases(rng):
    x = torch.tensor(rng.random((5, 3)))
    yield "nearest", (x, torch.tensor(rng.random((4, 3)))), {}
    yield "nearest", (x, torch.tensor(rng.random((2, 3)))), {}
