# expect: RED505 unsafe scope=ranked
import torch


def ranked(x: torch.Tensor, k: int):
    (n,) = x.shape
    return x.sort().values[k]


def cases(rng):
    yield "ranked", (torch.randn(5), 2), {}
    yield "ranked", (torch.randn(5), -2), {}
