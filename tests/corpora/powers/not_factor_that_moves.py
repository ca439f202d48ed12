# refuse: ASC114 the factor is another one at every step
import torch


def product(a: torch.Tensor, n: int):
    size, _ = a.shape
    p = torch.eye(size)
    for i in range(n):
        p = p @ (a + i)
    return p


def cases(rng):
    yield "product", (torch.rand(3, 3), 4), {}
