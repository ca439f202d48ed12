# refuse: ASC114 the state is normalised
import torch


def power_method(a: torch.Tensor, n: int):
    size, _ = a.shape
    p = torch.eye(size)
    for _ in range(n):
        p = p @ a
        p = p / p.norm()
    return p


def cases(rng):
    yield "power_method", (torch.rand(3, 3), 4), {}
