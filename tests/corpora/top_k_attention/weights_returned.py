# expect: SPA405 safe scope=attend
import torch


def attend(q, k, v, top: int = 2):
    scores = q @ k.mT
    probs = scores.softmax(dim=-1)
    chosen = probs.topk(top, dim=-1).indices
    mask = torch.zeros_like(probs).scatter(-1, chosen, 1.0)
    probs = probs * mask
    probs = probs / probs.sum(dim=-1, keepdim=True)
    return probs @ v, probs


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
