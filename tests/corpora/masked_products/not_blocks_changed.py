# refuse: SPA404 a block is changed, the matrix is not
import torch


def f(a: torch.Tensor, b: torch.Tensor, x: torch.Tensor):
    m, n = a.shape
    p, q = b.shape
    whole = torch.block_diag(a, b)
    a.mul_(2)
    return whole @ x


def cases(rng):
    yield "f", (torch.randn(2, 3), torch.randn(4, 5), torch.randn(8)), {}
