# refuse: SEP202 the product is passed through a function

import torch


def apply(x: torch.Tensor, weight: torch.Tensor, a: torch.Tensor, b: torch.Tensor):
    (d,) = x.shape
    (o, d) = weight.shape
    return (weight + torch.sigmoid(b @ a)) @ x


def cases(rng):
    import torch

    yield "apply", (torch.randn(4), torch.randn(6, 4), torch.randn(2, 4), torch.randn(6, 2)), {}
