# refuse: ASC107 by another count, of the library, or of what has no name
import math

import torch


def less_one(x: torch.Tensor):
    n = x.shape[0]
    return torch.log(torch.exp(x).sum(0) / (n - 1))


def other_axis(x: torch.Tensor):
    return torch.log(torch.exp(x).sum(0) / x.shape[1])


def of_the_library(x: torch.Tensor):
    total = torch.logsumexp(x, -1)
    return total - math.log(x.shape[-1])


def cooled(x: torch.Tensor, temperature: float):
    return torch.log(torch.exp(x / temperature).mean(-1))


def weighted(x: torch.Tensor, w: torch.Tensor):
    return torch.log((w * torch.exp(x)).mean(-1))


def cases(rng):
    for shape in ((2, 2), (4, 5)):
        x = torch.from_numpy(rng.standard_normal(shape)).requires_grad_()
        for name in ("less_one", "other_axis", "of_the_library"):
            yield name, (x,), {}
        yield "cooled", (x, 0.5), {}
        yield "weighted", (x, x.detach().abs()), {}
