# expect: SPA405 safe scope=attend
import torch
import torch.nn.functional as F


def attend(q, k, v, top: int = 2):
    scores = torch.matmul(q, k.mT)
    places = torch.topk(scores, top, dim=-1).indices
    keep = torch.zeros_like(scores, dtype=torch.bool).scatter_(-1, places, True)
    low = torch.where(keep, scores, torch.finfo(scores.dtype).min)
    return F.softmax(low, dim=-1) @ v


def normal(rng, *shape):
    return torch.tensor(rng.standard_normal(shape)).float().requires_grad_()


def cases(rng):
    yield "attend", (normal(rng, 2, 3, 5, 4), normal(rng, 2, 3, 9, 4), normal(rng, 2, 3, 9, 6)), {}
    wide = normal(rng, 1, 130, 2, 4).transpose(1, 2)
    yield "attend", (normal(rng, 1, 2, 4, 4), wide, normal(rng, 1, 2, 130, 2)), {}
    yield "attend", (normal(rng, 1, 1, 1, 2), normal(rng, 1, 1, 2, 2), normal(rng, 1, 1, 2, 1)), {}
