# expect: RED509 safe scope=similarity
import torch


def similarity(a: torch.Tensor, b: torch.Tensor):
    """The Frobenius inner product of two matrices of one shape."""
    return torch.trace(a.T @ b) / (a.norm() * b.norm())


def cases(rng):
    yield "similarity", (torch.randn(4, 3, requires_grad=True), torch.randn(4, 3)), {}
    yield "similarity", (torch.randn(1, 1), torch.randn(1, 1)), {}
