# refuse: ASC114 every factor is drawn anew
import torch


def drawn(n: int):
    return torch.rand(n, n) @ torch.rand(n, n) @ torch.rand(n, n) @ torch.rand(n, n)


def cases(rng):
    yield "drawn", (3,), {}
