# refuse: ASC110 a name is something else, or read in full, before it is cut
import torch


def another(scores: torch.Tensor, other: torch.Tensor, k: int):
    values, places = scores.sort(descending=True)
    best = values[:k]
    if k > 2:
        places = other
    return best, places[:k]


def the_rest_first(scores: torch.Tensor, other: torch.Tensor, k: int):
    values, places = scores.sort(descending=True)
    rest = values[k:]
    values = values[:k]
    places = places[:k]
    return values, places, rest


def in_full_between(scores: torch.Tensor, other: torch.Tensor, k: int):
    values, places = scores.sort(descending=True)
    values, total = values[:k], values.sum()
    places = places[:k]
    return values, places, total


def kept_by_a_function(scores: torch.Tensor, other: torch.Tensor, k: int):
    values, places = scores.sort(descending=True)

    def count():
        return values.numel()

    before = count()
    values, places = values[:k], places[:k]
    return values, places, before


def cases(rng):
    for length, k in ((9, 4), (5, 2), (1, 1)):
        scores = torch.tensor(rng.permutation(length) / 3.0)
        for name in ("another", "the_rest_first", "in_full_between", "kept_by_a_function"):
            yield name, (scores, torch.arange(2 * length), k), {}
