# refuse: RED509 the whole product is returned as well
import torch


def scores(x: torch.Tensor, y: torch.Tensor):
    n, d = x.shape
    n, d = y.shape
    every = x @ y.T
    return every, torch.diag(every)


def cases(rng):
    yield "scores", (torch.randn(4, 3), torch.randn(4, 3)), {}
