# refuse: the array that is changed in place is the argument's
import torch


def heads(scores: torch.Tensor):
    p = scores.view(2, 6)
    p *= 2
    p = p.exp()
    return p / p.sum(1, keepdim=True)


def cases(rng):
    yield "heads", (torch.tensor(rng.standard_normal((3, 4))),), {}
    yield "heads", (torch.tensor(rng.standard_normal((12,))),), {}
