# refuse: the exponentials keep another name
import torch


def both(scores: torch.Tensor):
    p = torch.exp(scores)
    kept = p
    p /= p.sum(1, keepdim=True)
    return p, kept


def cases(rng):
    yield "both", (torch.tensor(rng.standard_normal((3, 4))),), {}
