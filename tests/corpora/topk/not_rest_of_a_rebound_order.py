# refuse: the places behind the first are used before the name is bound again
import torch


def parted(scores: torch.Tensor, n: int):
    order = scores.argsort(0, descending=True)
    rest = order[n:]
    order = order[:n]
    return order, rest


def cases(rng):
    yield "parted", (torch.tensor(rng.permutation(7) / 3.0), 2), {}
