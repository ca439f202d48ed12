# refuse: ASC108 the variance has n - 1 in its denominator
import torch


def standardise(x: torch.Tensor) -> torch.Tensor:
    mean = x.mean(-1, keepdim=True)
    return (x - mean) / torch.sqrt(x.var(-1, keepdim=True) + 1e-5)


def cases(rng):
    yield "standardise", (torch.tensor(rng.standard_normal((3, 9)), requires_grad=True),), {}
