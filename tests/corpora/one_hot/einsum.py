# expect: SPA401 safe scope=codes
import torch
from torch.nn.functional import one_hot


def codes(indices: torch.Tensor, codebook: torch.Tensor):
    batch, length = indices.shape
    size, width = codebook.shape
    chosen = one_hot(indices, size).type_as(codebook)
    return torch.einsum("bln,nd->bld", chosen, codebook)


def cases(rng):
    yield "codes", (torch.tensor([[0, 2], [1, 1]]), torch.randn(3, 4, requires_grad=True)), {}
    yield "codes", (torch.tensor([[0]]), torch.randn(1, 1)), {}
