# refuse: ASC114 products with a vector cost less than the powers
import torch


def step(a: torch.Tensor, v: torch.Tensor, n: int):
    (size,) = v.shape
    for _ in range(n):
        v = a @ v
    return v


def cases(rng):
    yield "step", (torch.rand(3, 3) / 3, torch.rand(3), 7), {}
