# expect: SPA405 unsafe scope=slots
# expect: SPA405 unsafe scope=cut
# expect: ASC110 safe scope=sorted_places
import torch


def slots(query, keys, values, count: int):
    """The axis is named by its number: nothing says that it is the last."""
    scores = query @ keys.t()
    best, places = torch.topk(scores, count, dim=1)
    kept = torch.full_like(scores, float("-inf"))
    kept.scatter_(1, places, best)
    weights = kept.softmax(dim=1)
    return weights @ values


def cut(q, k, v, count: int):
    """The scores are filled where they stand."""
    scores = torch.einsum("bhqd,bhkd->bhqk", q, k) / 3
    best, _ = torch.topk(scores, count, dim=-1)
    scores[scores < best[..., [-1]]] = float("-inf")
    return torch.einsum("bhqk,bhkd->bhqd", scores.softmax(-1), v)


def sorted_places(q, k, v, count: int):
    scores = q @ k.transpose(-2, -1)
    places = scores.argsort(dim=-1, descending=True)[..., :count]
    keep = torch.zeros_like(scores, dtype=torch.bool).scatter(-1, places, True)
    scores = scores.masked_fill(~keep, -float("inf"))
    return scores.softmax(-1) @ v


def cases(rng):
    yield "slots", (torch.randn(4, 8), torch.randn(12, 8), torch.randn(12, 5), 3), {}
    many = [torch.randn(2, 2, n, 4, requires_grad=True) for n in (5, 9, 9)]
    yield "cut", (*many, 3), {}
    yield "sorted_places", (*many, 2), {}
