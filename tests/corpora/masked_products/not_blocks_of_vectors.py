# refuse: SPA404 a vector is a block of one row
import torch


def f(a: torch.Tensor, b: torch.Tensor, x: torch.Tensor):
    (n,) = a.shape
    p, q = b.shape
    return torch.block_diag(a, b) @ x


def cases(rng):
    yield "f", (torch.randn(3), torch.randn(4, 5), torch.randn(8)), {}
