# expect: ASC107 safe scope=sm
import torch


def sm(x):
    e = (x - x.amax(dim=2, keepdim=True)).exp()
    return e / torch.einsum("bhn->bh", e)[..., None]


def cases(rng):
    yield "sm", (torch.randn(2, 3, 4, requires_grad=True),), {}
