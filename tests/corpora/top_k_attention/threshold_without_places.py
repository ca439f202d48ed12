# expect: SPA405 advice scope=attend
import torch


def attend(q, k, v, top: int = 2):
    scores = q @ k.transpose(-2, -1)
    least = scores.topk(top, dim=-1).values[..., -1, None]
    scores = scores.masked_fill(scores < least, float("-inf"))
    return scores.softmax(-1) @ v


def normal(rng, *shape):
    return torch.tensor(rng.standard_normal(shape)).float().requires_grad_()


def cases(rng):
    yield "attend", (normal(rng, 2, 3, 5, 4), normal(rng, 2, 3, 9, 4), normal(rng, 2, 3, 9, 6)), {}
    wide = normal(rng, 1, 130, 2, 4).transpose(1, 2)
    yield "attend", (normal(rng, 1, 2, 4, 4), wide, normal(rng, 1, 2, 130, 2)), {}
    yield "attend", (normal(rng, 1, 1, 1, 2), normal(rng, 1, 1, 2, 2), normal(rng, 1, 1, 2, 1)), {}
