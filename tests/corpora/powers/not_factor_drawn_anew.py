# refuse: ASC114 the factor is drawn anew at every step
import torch


def product(n: int):
    p = torch.eye(3)
    for _ in range(n):
        p = p @ torch.rand(3, 3)
    return p


def cases(rng):
    yield "product", (4,), {}
