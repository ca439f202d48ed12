# refuse: ASC108 the sample variance has another divisor
import torch


def whiten(x: torch.Tensor):
    b, c, h, w = x.shape
    mu = x.mean((0, 2, 3), keepdim=True)
    var = x.var((0, 2, 3), keepdim=True)
    return (x - mu) * torch.rsqrt(var + 1e-5)


def cases(rng):
    for shape in ((2, 3, 5, 4), (1, 2, 1, 3), (3, 1, 2, 2)):
        yield "whiten", (torch.tensor(rng.normal(size=shape) + 3, requires_grad=True),), {}
