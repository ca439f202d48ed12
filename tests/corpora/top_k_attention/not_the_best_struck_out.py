# refuse: SPA405 the best are left out, the mask keeps all, or the scores change before it is used
import torch


def without_the_best(q, k, v, count: int):
    scores = q @ k.mT
    places = scores.topk(count, -1).indices
    others = torch.ones_like(scores, dtype=torch.bool)
    others.scatter_(-1, places, False)
    return scores.masked_fill(~others, float("-inf")).softmax(-1) @ v


def all_of_them(q, k, v, count: int):
    scores = q @ k.mT
    places = scores.topk(count, -1).indices
    kept = torch.ones_like(scores, dtype=torch.bool).scatter_(-1, places, True)
    return scores.masked_fill(~kept, float("-inf")).softmax(-1) @ v


def scaled_afterwards(q, k, v, count: int):
    scores = q @ k.mT
    places = scores.topk(count, -1).indices
    kept = torch.zeros_like(scores, dtype=torch.bool)
    kept.scatter_(-1, places, True)
    scores *= 2
    return scores.masked_fill(~kept, float("-inf")).softmax(-1) @ v


def overwritten(q, k, v, count: int):
    scores = q @ k.mT
    places = scores.topk(count, -1).indices
    others = torch.ones_like(scores, dtype=torch.bool).scatter_(-1, places, False)
    copied = scores.clone()
    scores.zero_()
    return copied.masked_fill(others, float("-inf")).softmax(-1) @ v


def cases(rng):
    for name in ("without_the_best", "all_of_them", "scaled_afterwards", "overwritten"):
        yield name, (torch.randn(2, 5, 4), torch.randn(2, 7, 4), torch.randn(2, 7, 4), 3), {}
