# refuse: SPA405 a score of zero has weight
import torch


def cut(q, k, v):
    scores = torch.einsum("bqd,bkd->bqk", q, k)
    best, _ = torch.topk(scores, 3, dim=-1)
    scores[scores < best[..., -1:]] = 0.0
    return torch.einsum("bqk,bkd->bqd", scores.softmax(-1), v)


def cases(rng):
    yield "cut", tuple(torch.randn(2, n, 4) for n in (5, 9, 9)), {}
