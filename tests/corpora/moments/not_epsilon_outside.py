# refuse: ASC108 epsilon is added to the deviation, not to the variance
import torch


def standardise(x: torch.Tensor) -> torch.Tensor:
    mean = x.mean(-1, keepdim=True)
    deviation = torch.sqrt(((x - mean) ** 2).mean(-1, keepdim=True))
    return (x - mean) / (deviation + 1e-5)


def cases(rng):
    yield "standardise", (torch.tensor(rng.standard_normal((3, 9)), requires_grad=True),), {}
