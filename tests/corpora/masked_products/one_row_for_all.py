# expect: SPA404 safe scope=retained
"""Values of one row, which `einsum` broadcasts."""

import torch


def retained(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
    n = q.shape[1]
    mask = torch.tril(torch.ones(n, n))
    s = torch.einsum("bid,bjd->bij", q, k) * mask
    return torch.einsum("bij,bjd->bid", s, v)


def cases(rng):
    yield "retained", (torch.rand(2, 5, 4), torch.rand(2, 5, 4), torch.rand(2, 5, 3)), {}
    yield "retained", (torch.rand(2, 5, 4), torch.rand(2, 1, 4), torch.rand(2, 5, 3)), {}
    yield "retained", (torch.rand(2, 5, 4), torch.rand(2, 5, 4), torch.rand(2, 1, 3)), {}
    yield "retained", (torch.rand(2, 5, 4), torch.rand(2, 1, 4), torch.rand(2, 1, 3)), {}
    yield "retained", (torch.rand(2, 1, 4), torch.rand(2, 5, 4), torch.rand(2, 5, 3)), {}
