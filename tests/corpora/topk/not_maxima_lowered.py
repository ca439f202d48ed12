# refuse: the maxima are halved, not hidden
import torch
from torch import Tensor


def places(scores: Tensor, k: int):
    picked = []
    for _ in range(k):
        v, place = scores.max(dim=-1)
        picked.append(place)
        scores = scores.scatter(-1, place.unsqueeze(-1), 0.5)
    return torch.stack(picked, dim=-1)


def cases(rng):
    yield "places", (torch.tensor(rng.random((3, 5))), 2), {}
