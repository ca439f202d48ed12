# expect: SPA405 safe scope=attend
import torch
import torch.nn.functional as F


def attend(q, k, v, top: int = 2):
    scores = q @ k.mT
    chosen = scores.topk(top, dim=-1)[1]
    keep = torch.zeros_like(scores)
    keep.scatter_(-1, chosen, 1.0)
    scores = torch.where(keep > 0, scores, float("-inf"))
    return F.softmax(scores, -1) @ v


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
