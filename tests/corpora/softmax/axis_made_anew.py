# expect: ASC107 safe scope=weights
import torch


def weights(x):
    e = x.exp()
    return e / e.sum(dim=-1)[..., None]


def cases(rng):
    yield "weights", (torch.randn(2, 3, requires_grad=True),), {}
    yield "weights", (torch.randn(3),), {}
