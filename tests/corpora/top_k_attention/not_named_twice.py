# refuse: SPA405 the scores that are filled in place have another name, which is given back
import torch


def cut(q, k, v):
    scores = torch.einsum("bqd,bkd->bqk", q, k)
    raw = scores
    best, _ = torch.topk(scores, 3, dim=-1)
    scores[scores < best[..., -1:]] = float("-inf")
    return torch.einsum("bqk,bkd->bqd", scores.softmax(-1), v), raw


def cases(rng):
    yield "cut", tuple(torch.randn(2, n, 4) for n in (5, 9, 9)), {}
