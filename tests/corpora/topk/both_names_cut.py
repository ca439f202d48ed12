# expect: ASC110 safe scope=both
# expect: ASC110 safe scope=one_after_the_other
# expect: ASC110 safe scope=parameter
import torch


def both(scores: torch.Tensor, k: int):
    values, places = scores.sort(descending=True)
    values, places = values[:k], places[:k]
    return values.softmax(0), places


def one_after_the_other(scores: torch.Tensor, k: int):
    values, places = torch.sort(scores, dim=-1, descending=True)
    values = values[..., :k]
    places = places[..., :k]
    return values, places


def parameter(scores: torch.Tensor, boxes: torch.Tensor, k: int):
    scores, order = scores.sort(descending=True)
    scores, order = scores[:k], order[:k]
    return scores, boxes[order]


def cases(rng):
    for length, k in ((9, 4), (5, 2), (1, 1), (3, 0)):
        scores = torch.tensor(rng.permutation(length) / 3.0, requires_grad=True)
        yield "both", (scores, k), {}
        yield "one_after_the_other", (torch.stack([scores, -scores]), k), {}
        yield "parameter", (scores, torch.tensor(rng.standard_normal((length, 4))), k), {}
