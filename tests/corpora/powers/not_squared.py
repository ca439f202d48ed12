# refuse: ASC114 each step squares
import torch


def squared(a: torch.Tensor, n: int):
    for _ in range(n):
        a = a @ a
    return a


def cases(rng):
    yield "squared", (torch.rand(3, 3) / 3, 4), {}
