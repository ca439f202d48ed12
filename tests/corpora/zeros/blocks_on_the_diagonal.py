# expect: SPA404 unsafe scope=f
# expect: SPA407 advice scope=of_many
import torch


def f(x: torch.Tensor, first: torch.Tensor, second: torch.Tensor):
    weight = torch.block_diag(first, second)
    return x @ weight


def of_many(x: torch.Tensor, blocks):
    weight = torch.block_diag(*blocks)
    return x @ weight


def cases(rng):
    x, a, b = (torch.tensor(rng.normal(size=s)) for s in ((5, 6), (2, 3), (4, 1)))
    yield "f", (x, a, b), {}
    yield "of_many", (x, [a, b]), {}
