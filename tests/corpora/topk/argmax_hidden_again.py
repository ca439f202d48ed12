# expect: ASC110 safe scope=modes
import torch


def modes(scores: torch.Tensor, k: int):
    scores = scores.clone()
    places = []
    for _ in range(k):
        place = int(scores.argmax())
        places.append(place)
        scores[place] = float("-inf")
    return places


def cases(rng):
    for n, k in ((4, 4), (9, 3), (9, 0), (9, -1), (3000, 5)):
        yield "modes", (torch.tensor(rng.integers(0, 40, n) / 8), k), {}
