# refuse: the mean squares of rows stand beside the columns
import torch


def f(x):
    rows, width = x.shape
    power = x.square().mean(1)
    return x / torch.sqrt((power + 1e-6)[None, :])


def cases(rng):
    yield "f", (torch.randn(3, 3),), {}
