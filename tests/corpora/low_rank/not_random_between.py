# refuse: SEP202 what is multiplied is drawn at random, and would be drawn twice

import torch
import torch.nn.functional as F


def apply(x: torch.Tensor, weight: torch.Tensor, a: torch.Tensor, b: torch.Tensor):
    (d,) = x.shape
    (o, d) = weight.shape
    return (weight + b @ a) @ F.dropout(x, 0.5)


def cases(rng):
    import torch

    yield "apply", (torch.randn(4), torch.randn(6, 4), torch.randn(2, 4), torch.randn(6, 2)), {}
