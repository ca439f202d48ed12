# expect: SPA405 safe scope=attend
import torch
import torch.nn.functional as F


def attend(q, k, v, top: int = 2):
    scores = torch.matmul(q, k.transpose(-1, -2)) / q.shape[-1] ** 0.5
    values, indices = torch.topk(scores, top)
    attn = torch.zeros_like(scores).scatter_(-1, indices, F.softmax(values, dim=-1))
    out = torch.matmul(attn, v)
    return out, indices


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
