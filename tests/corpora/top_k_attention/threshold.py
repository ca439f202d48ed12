# expect: SPA405 unsafe scope=attend
import torch


def attend(q, k, v, top: int = 2):
    scores = q @ k.mT
    best, _ = scores.topk(top, dim=-1)
    scores = scores.masked_fill(scores < best[..., -1:], float("-inf"))
    return scores.softmax(dim=-1) @ v


def normal(rng, *shape):
    return torch.tensor(rng.standard_normal(shape)).float().requires_grad_()


def cases(rng):
    yield "attend", (normal(rng, 2, 3, 5, 4), normal(rng, 2, 3, 9, 4), normal(rng, 2, 3, 9, 6)), {}
    yield (
        "attend",
        (normal(rng, 1, 2, 4, 4), normal(rng, 1, 2, 130, 4), normal(rng, 1, 2, 130, 2)),
        {},
    )
    yield "attend", (normal(rng, 1, 1, 1, 2), normal(rng, 1, 1, 2, 2), normal(rng, 1, 1, 2, 1)), {}
