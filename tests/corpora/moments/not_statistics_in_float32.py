# refuse: ASC108 the statistics are taken in another dtype than the tensor
import torch


def standardise(x: torch.Tensor) -> torch.Tensor:
    wide = x.float()
    mean = wide.mean(-1, keepdim=True)
    variance = ((wide - mean) ** 2).mean(-1, keepdim=True)
    return (x - mean.to(x.dtype)) * torch.rsqrt(variance + 1e-5).to(x.dtype)


def cases(rng):
    yield "standardise", (torch.tensor(rng.standard_normal((3, 9))).half(),), {}
