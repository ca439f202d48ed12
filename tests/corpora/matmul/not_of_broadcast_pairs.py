# refuse: LOC301 the products are used besides, averaged, of three or summed over all
import torch


def kept(a: torch.Tensor, b: torch.Tensor):
    n, d = a.shape
    m, d = b.shape
    p = a.unsqueeze(1) * b.unsqueeze(0)
    return p.sum(-1), p.amax(-1)


def weighted(a: torch.Tensor, b: torch.Tensor, w: torch.Tensor):
    n, d = a.shape
    m, d = b.shape
    n, m, d = w.shape
    return (a.unsqueeze(1) * b.unsqueeze(0) * w).sum(-1)


def rows(a: torch.Tensor, b: torch.Tensor):
    n, d = a.shape
    n, d = b.shape
    return (a * b).sum(-1)


def whole(a: torch.Tensor, b: torch.Tensor):
    n, d = a.shape
    m, d = b.shape
    return (a[:, None] * b[None]).sum()


def counted(a: torch.Tensor, b: torch.Tensor):
    n, d = a.shape
    m, d = b.shape
    return (a.int()[:, None] * b.int()[None]).sum(-1)


def cases(rng):
    yield "kept", (torch.randn(4, 3), torch.randn(5, 3)), {}
    yield "weighted", (torch.randn(4, 3), torch.randn(5, 3), torch.randn(4, 5, 3)), {}
    yield "rows", (torch.randn(4, 3), torch.randn(4, 3)), {}
    yield "whole", (torch.randn(4, 3), torch.randn(5, 3)), {}
    yield "counted", (torch.randn(4, 3), torch.randn(5, 3)), {}
