# refuse: SPA402 of a matrix times an identity it is its diagonal that is multiplied
import torch


def keep(a, b):
    n = a.size(0)
    return (a * torch.eye(n)) @ b


def cases(rng):
    for shape in ((3, 3), (3,)):
        yield "keep", (torch.tensor(rng.normal(size=shape)), torch.randn(3, 2).double()), {}
