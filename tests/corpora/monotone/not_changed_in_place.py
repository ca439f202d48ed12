# refuse: RED506 the backward pass of the exponential needs what is changed
import torch


def shifted(x: torch.Tensor):
    top = torch.exp(x).max(dim=-1)[0]
    top += 1
    return top


def cases(rng):
    yield "shifted", (torch.randn(3, 5, requires_grad=True),), {}
