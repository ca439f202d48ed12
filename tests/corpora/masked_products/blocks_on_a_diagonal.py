# expect: SPA404 safe scope=of_two
# expect: SPA404 safe scope=of_three
# expect: SPA404 safe scope=from_the_right
# expect: SPA404 safe scope=of_arrays
# expect: SPA404 unsafe scope=Joined.forward
import numpy as np
import scipy.linalg
import torch
import torch.nn.functional as F
from torch import nn


def of_two(a: torch.Tensor, b: torch.Tensor, x: torch.Tensor):
    m, n = a.shape
    p, q = b.shape
    return torch.block_diag(a, b) @ x


def of_three(a: torch.Tensor, b: torch.Tensor, c: torch.Tensor, x: torch.Tensor):
    assert a.dim() == b.dim() == c.dim() == 2
    whole = torch.block_diag(a, b, c)
    return F.linear(x, whole)


def from_the_right(block: torch.Tensor, x: torch.Tensor):
    m, n = block.shape
    return torch.matmul(x, torch.block_diag(block, block).t())


def of_arrays(a: np.ndarray, b: np.ndarray, x: np.ndarray):
    m, n = a.shape
    p, q = b.shape
    return np.matmul(scipy.linalg.block_diag(a, b), x)


class Joined(nn.Module):
    def __init__(self, size: int):
        super().__init__()
        self.first = nn.Parameter(torch.randn(size, size))

    def forward(self, x, more):
        return x @ torch.block_diag(self.first, more)


def cases(rng):
    def tensor(*shape):
        return torch.tensor(rng.standard_normal(shape), requires_grad=True)

    for shape in ((8,), (8, 3), (8, 0)):
        yield "of_two", (tensor(2, 3), tensor(4, 5), tensor(*shape)), {}
        array = rng.standard_normal(shape)
        yield "of_arrays", (rng.standard_normal((2, 3)), rng.standard_normal((4, 5)), array), {}
    for shape in ((9,), (3, 9), (2, 3, 9), (0, 9)):
        three = tensor(2, 3), tensor(1, 1), tensor(4, 5)
        yield "of_three", (*three, tensor(*shape)), {}
    for shape in ((6,), (3, 6)):
        yield "from_the_right", (tensor(2, 3), tensor(*shape)), {}
    yield "Joined(3)", (torch.randn(4, 5), torch.randn(2, 4)), {}
