# expect: ASC108 safe scope=summary
import torch


def summary(x: torch.Tensor):
    n, d = x.shape
    centre = x.mean(dim=0)
    variance = (x - centre).pow(2).sum(0) / (n - 1)
    return centre, variance.sqrt()


def cases(rng):
    for shape in ((5, 3), (2, 3), (300, 400)):
        yield "summary", (torch.tensor(rng.normal(size=shape) + 3, requires_grad=True),), {}
