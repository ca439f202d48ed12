# may: RED506 safe|unsafe|advice scope=quantile
# may: RED506 safe|unsafe|advice scope=largest
"""The statement that says how many are wanted stays where the function goes."""

import torch


def quantile(x: torch.Tensor, q: float):
    k = int(q * x.shape[1])
    return torch.exp(x).kthvalue(k, dim=1).values


def largest(x: torch.Tensor, k: int):
    k = min(k, x.shape[1])
    return torch.sigmoid(x).topk(k, dim=1).values


def cases(rng):
    x = torch.tensor(rng.standard_normal((3, 6)))
    yield "quantile", (x, 0.5), {}
    yield "largest", (x, 9), {}
