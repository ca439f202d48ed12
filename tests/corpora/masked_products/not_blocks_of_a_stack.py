# refuse: SPA404 the other factor is a stack of matrices
import torch


def f(a: torch.Tensor, b: torch.Tensor, x: torch.Tensor):
    m, n = a.shape
    p, q = b.shape
    batch, size, width = x.shape
    return torch.block_diag(a, b) @ x


def cases(rng):
    yield "f", (torch.randn(2, 3), torch.randn(4, 5), torch.randn(2, 8, 3)), {}
