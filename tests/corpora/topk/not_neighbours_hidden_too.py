# refuse: ASC110 the neighbours of a maximum are hidden as well
import torch


def separated(scores: torch.Tensor):
    scores = scores.clone()
    places = []
    for _ in range(3):
        place = int(scores.argmax())
        places.append(place)
        scores[max(place - 1, 0) : place + 2] = float("-inf")
    return places


def cases(rng):
    yield "separated", (torch.tensor(rng.permutation(9) / 8),), {}
