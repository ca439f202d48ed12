# expect: RED509 safe scope=energies
import torch


def energies(density: torch.Tensor, operator: torch.Tensor):
    batch, n, _ = density.shape
    batch, n, _ = operator.shape
    product = torch.bmm(density, operator)
    return torch.diagonal(product, dim1=1, dim2=2).sum(-1)


def cases(rng):
    yield "energies", (torch.randn(2, 3, 3, requires_grad=True), torch.randn(2, 3, 3)), {}
    yield "energies", (torch.randn(1, 1, 1), torch.randn(1, 1, 1)), {}
