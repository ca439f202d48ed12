# expect: SPA405 unsafe scope=attend
import torch


def attend(q, k, v, top: int = 2):
    scores = q @ k.transpose(-2, -1)
    scores = scores.masked_fill(k[..., None, :, 0] > 0.5, -1e9)
    best, places = torch.topk(scores, top, dim=-1)
    kept = torch.full_like(scores, -1e9).scatter(-1, places, best)
    return torch.softmax(kept, dim=-1) @ v


def normal(rng, *shape):
    return torch.tensor(rng.standard_normal(shape)).float().requires_grad_()


def cases(rng):
    yield "attend", (normal(rng, 2, 3, 5, 4), normal(rng, 2, 3, 9, 4), normal(rng, 2, 3, 9, 6)), {}
    wide = normal(rng, 1, 130, 2, 4).transpose(1, 2)
    yield "attend", (normal(rng, 1, 2, 4, 4), wide, normal(rng, 1, 2, 130, 2)), {}
    yield "attend", (normal(rng, 1, 1, 1, 2), normal(rng, 1, 1, 2, 2), normal(rng, 1, 1, 2, 1)), {}
