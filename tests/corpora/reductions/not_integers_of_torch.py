# refuse: the library multiplies integers, which the loop made floats of
import torch


def product(n: int):
    p = 1.0
    for v in torch.arange(1, n):
        p = p * v
    return p


def cases(rng):
    yield "product", (31,), {}
