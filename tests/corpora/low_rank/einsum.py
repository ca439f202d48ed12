# expect: SEP202 safe scope=apply

import torch


def apply(x: torch.Tensor, weight: torch.Tensor, a: torch.Tensor, b: torch.Tensor):
    (d,) = x.shape
    (o, d) = weight.shape
    delta = torch.einsum("or,rd->od", b, a)
    return torch.einsum("od,d->o", weight + delta, x)


def cases(rng):
    import torch

    yield (
        "apply",
        (
            torch.randn(5, requires_grad=True),
            torch.randn(4, 5),
            torch.randn(2, 5),
            torch.randn(4, 2, requires_grad=True),
        ),
        {},
    )
    yield "apply", (torch.randn(2), torch.randn(3, 2), torch.randn(1, 2), torch.randn(3, 1)), {}
