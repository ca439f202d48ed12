# refuse: the rows of the argument are hidden in place
import torch
from torch import Tensor


def places(scores: Tensor, k: int):
    picked = []
    for _ in range(k):
        place = scores.argmax(dim=-1)
        picked.append(place)
        scores.scatter_(-1, place.unsqueeze(-1), -torch.inf)
    return torch.stack(picked, dim=-1)


def cases(rng):
    yield "places", (torch.tensor(rng.standard_normal((3, 5))), 2), {}
