# refuse: SPA405 the best are those of the scores before they changed
import torch


def cut(q, k, v, bias):
    scores = torch.einsum("bqd,bkd->bqk", q, k)
    best, _ = torch.topk(scores, 3, dim=-1)
    scores = scores + bias
    scores[scores < best[..., -1:]] = float("-inf")
    return torch.einsum("bqk,bkd->bqd", scores.softmax(-1), v)


def cases(rng):
    yield "cut", (*(torch.randn(2, n, 4) for n in (5, 9, 9)), torch.randn(9)), {}
