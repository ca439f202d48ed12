# refuse: SEP202 the merged weight is used for its norm as well

import torch


def apply(x: torch.Tensor, weight: torch.Tensor, a: torch.Tensor, b: torch.Tensor):
    (d,) = x.shape
    (o, d) = weight.shape
    merged = weight + b @ a
    return (merged / merged.norm(dim=1, keepdim=True)) @ x


def cases(rng):
    import torch

    yield "apply", (torch.randn(4), torch.randn(6, 4), torch.randn(2, 4), torch.randn(6, 2)), {}
