# expect: ASC107 safe scope=sm
import torch
from einops import reduce


def sm(logits):
    mx = reduce(logits, "b n k -> b n 1", "max")
    e = torch.exp(logits - mx)
    return e / reduce(e, "b n k -> b n 1", "sum")


def cases(rng):
    yield "sm", (torch.randn(2, 3, 4, requires_grad=True),), {}
