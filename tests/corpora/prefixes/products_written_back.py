# may: ASC105 safe|unsafe|advice scope=backward_products
"""Products are written over what they start from, which their gradients read."""

import torch


def backward_products(x: torch.Tensor, g: float):
    out = torch.zeros_like(x)
    out[-1] = x[-1]
    for t in range(len(x) - 2, -1, -1):
        out[t] = x[t] * (g * out[t + 1])
    return out


def cases(rng):
    for n in (1, 2, 5):
        x = torch.tensor(rng.standard_normal((n, 3))).requires_grad_()
        yield "backward_products", (x, 0.7), {}
