# refuse: ASC108 mean and variance are returned as well
import torch


def standardise(x: torch.Tensor):
    mean = x.mean(-1, keepdim=True)
    variance = ((x - mean) ** 2).mean(-1, keepdim=True)
    return (x - mean) * torch.rsqrt(variance + 1e-5), mean, variance


def cases(rng):
    yield "standardise", (torch.tensor(rng.standard_normal((3, 9)), requires_grad=True),), {}
