# refuse: ASC108 epsilon is a floor of the variance, not added to it
import torch


def standardise(x: torch.Tensor) -> torch.Tensor:
    mean = x.mean(-1, keepdim=True)
    variance = ((x - mean) ** 2).mean(-1, keepdim=True)
    return (x - mean) / torch.sqrt(variance.clamp(min=1e-5))


def cases(rng):
    yield "standardise", (torch.tensor(rng.standard_normal((3, 9)), requires_grad=True),), {}
