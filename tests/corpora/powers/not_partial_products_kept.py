# refuse: ASC114 every power is kept
import torch


def orbit(a: torch.Tensor, n: int):
    size, _ = a.shape
    p = torch.eye(size)
    out = []
    for _ in range(n):
        p = p @ a
        out.append(p)
    return torch.stack(out)


def cases(rng):
    yield "orbit", (torch.rand(3, 3), 4), {}
