# refuse: RED506 the places are used as well
import torch


def nearest(squares: torch.Tensor):
    n, m = squares.shape
    distance, place = torch.sqrt(squares).min(dim=1)
    return distance, place


def cases(rng):
    yield "nearest", (torch.rand(3, 5),), {}
