# expect: SPA404 advice scope=Mixed.forward
# expect: SPA404 advice scope=Masked.forward
# expect: SPA404 advice scope=blocks
# may: SPA407 advice scope=Masked.forward
import torch
import torch.nn as nn


class Mixed(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.w = nn.Parameter(torch.randn(n, n))

    def forward(self, x):
        return torch.tril(self.w) @ x


class Masked(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.w = nn.Parameter(torch.randn(n, n))
        self.register_buffer("mask", torch.tril(torch.ones(n, n)))

    def forward(self, x):
        w = self.w * self.mask
        return torch.einsum("ij,bjd->bid", w, x)


def blocks(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, block: int = 4):
    n, d = q.shape
    m, d = k.shape
    m, e = v.shape
    g = torch.arange(n) // block
    same = g[:, None] == g[None, :]
    return ((q @ k.T) * same) @ v


def cases(rng):
    yield "Mixed(5)", (torch.randn(5, 3),), {}
    yield "Masked(5)", (torch.randn(2, 5, 3),), {}
    yield "blocks", (torch.randn(8, 3), torch.randn(8, 3), torch.randn(8, 2)), {}
