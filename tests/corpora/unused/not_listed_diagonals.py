# expect: RED509 safe scope=beside
# expect: RED509 safe scope=in_any_order
# expect: RED509 safe scope=by_label
# expect: RED509 safe scope=from_the_second
# refuse: RED509 the diagonal is of another length, or the product is read elsewhere
import torch


def beside(z1: torch.Tensor, z2: torch.Tensor):
    sim = z1 @ z2.T
    i = torch.arange(len(z1) - 1)
    return sim[i, i + 1]


def of_some(z1: torch.Tensor, z2: torch.Tensor, k: int):
    sim = z1 @ z2.T
    i = torch.arange(k)
    return sim[i, i]


def in_any_order(z1: torch.Tensor, z2: torch.Tensor, i: torch.Tensor):
    sim = z1 @ z2.T
    return sim[i, i]


def by_label(z1: torch.Tensor, z2: torch.Tensor, y: torch.Tensor):
    sim = z1 @ z2.T
    return sim[torch.arange(len(z1)), y]


def all_of_it(z1: torch.Tensor, z2: torch.Tensor):
    sim = z1 @ z2.T
    i = torch.arange(len(z1))
    return sim[i, i] - sim.logsumexp(1)


def from_the_second(z1: torch.Tensor, z2: torch.Tensor):
    sim = z1 @ z2.T
    i = torch.arange(1, len(z1))
    return sim[i, i]


def cases(rng):
    one, two = torch.randn(4, 3), torch.randn(4, 3)
    yield "beside", (one, two), {}
    yield "of_some", (one, two, 2), {}
    yield "in_any_order", (one, two, torch.tensor([2, 0])), {}
    yield "by_label", (one, two, torch.tensor([2, 0, 1, 1])), {}
    yield "all_of_it", (one, two), {}
    yield "from_the_second", (one, two), {}
