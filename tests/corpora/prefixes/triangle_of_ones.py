# expect: ASC105 safe scope=integrated
# expect: ASC105 safe scope=remaining
# expect: ASC105 safe scope=compared
import numpy as np
import torch


def integrated(x: torch.Tensor):
    batch, steps, width = x.shape
    ones = torch.tril(torch.ones(steps, steps, dtype=x.dtype))
    return torch.einsum("ij,bjd->bid", ones, x)


def remaining(x: torch.Tensor):
    steps, width = x.shape
    return torch.ones(steps, steps).triu() @ x


def compared(x: np.ndarray):
    (n,) = x.shape
    place = np.arange(n)
    return (place[None, :] <= place[:, None]).astype(float) @ x


def cases(rng):
    yield "integrated", (torch.randn(2, 5, 3, requires_grad=True),), {}
    yield "integrated", (torch.randn(1, 1, 2, dtype=torch.float64),), {}
    yield "remaining", (torch.randn(4, 2, requires_grad=True),), {}
    yield "compared", (rng.standard_normal(9),), {}
