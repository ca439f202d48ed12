# refuse: SEP202 the merged weight is returned

import torch


def apply(x: torch.Tensor, weight: torch.Tensor, a: torch.Tensor, b: torch.Tensor):
    (d,) = x.shape
    (o, d) = weight.shape
    merged = weight + b @ a
    return merged @ x, merged


def cases(rng):
    import torch

    yield "apply", (torch.randn(4), torch.randn(6, 4), torch.randn(2, 4), torch.randn(6, 2)), {}
