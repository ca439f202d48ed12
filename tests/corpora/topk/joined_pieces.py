# expect: ASC110 safe scope=by_ranges
# expect: ASC110 safe scope=by_split
import torch


def by_ranges(scores, k):
    best = scores.new_full((k,), float("-inf"))
    for i in range(0, len(scores), 4):
        candidates = torch.cat([best, scores[i : i + 4]])
        best = candidates.sort(descending=True).values[:k]
    return best


def by_split(scores: torch.Tensor, k: int):
    best = torch.full((k,), float("-inf"))
    for piece in scores.split(4):
        best = torch.cat([best, piece]).topk(k)[0]
    return best


def cases(rng):
    for length in (1, 4, 13):
        x = torch.tensor(rng.standard_normal(length))
        yield "by_ranges", (x.requires_grad_(), 3), {}
        yield "by_split", (x.detach().float(), 5), {}
