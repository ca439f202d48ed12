# expect: RED509 safe scope=trace
import numpy as np
import torch


def trace(a, b):
    return (a @ b).diagonal().sum()


def noise(n: int):
    return torch.tensor(np.random.default_rng(n).normal(size=n))


def cases(rng):
    make = lambda *shape: torch.tensor(rng.normal(size=shape), requires_grad=True)
    yield "trace", (make(4, 5), make(5, 4)), {}
    yield "trace", (rng.normal(size=(3, 2)), rng.normal(size=(2, 3))), {}
