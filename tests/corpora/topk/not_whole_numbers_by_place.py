# refuse: ASC110 whole numbers are often equal, and the sort leaves them in an order of its own
import torch


def busiest(counts: torch.Tensor):
    return torch.argsort(counts.int(), descending=True)[:3]


def cases(rng):
    for n in (2, 9, 300):
        yield "busiest", (torch.tensor(rng.integers(0, 4, n)),), {}
