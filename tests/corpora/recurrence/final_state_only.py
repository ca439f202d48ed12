# may: ASC101 safe|advice scope=horner
import torch


def horner(coefficients, x):
    """Value of a polynomial (highest power first) at every x."""
    acc = torch.zeros_like(x)
    for c in coefficients:
        acc = acc * x + c
    return acc


def cases(rng):
    x = torch.tensor(rng.uniform(-1, 1, (5, 3)), dtype=torch.float32, requires_grad=True)
    for degree in (1, 2, 20):
        c = torch.tensor(rng.standard_normal(degree), dtype=torch.float32, requires_grad=True)
        yield "horner", (c, x), {}
