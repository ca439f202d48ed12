# refuse: SEP202 the product is scaled row by row with the weight

import torch


def apply(x: torch.Tensor, weight: torch.Tensor, m: torch.Tensor, a: torch.Tensor, b: torch.Tensor):
    (d,) = x.shape
    (o, d) = weight.shape
    (o, one) = m.shape
    return (weight + m * (b @ a)) @ x


def cases(rng):
    import torch

    yield (
        "apply",
        (
            torch.randn(4),
            torch.randn(6, 4),
            torch.randn(6, 1),
            torch.randn(2, 4),
            torch.randn(6, 2),
        ),
        {},
    )
