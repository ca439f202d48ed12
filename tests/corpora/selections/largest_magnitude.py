# expect: RED505 safe scope=largest
import torch


def largest(x: torch.Tensor):
    return torch.sort(x.abs(), dim=-1)[0][..., -1]


def cases(rng):
    yield "largest", (torch.randn(3, 6, requires_grad=True),), {}
    yield "largest", (torch.randn(1),), {}
