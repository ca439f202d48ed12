# expect: SPA404 safe scope=attend
import torch


def attend(q, k, v):
    n = q.size(-2)
    later = torch.ones((n, n), dtype=torch.bool, device=q.device).triu(1)
    weights = (q @ k.mT).masked_fill(later, 0)
    out = weights @ v
    return out + q


def normal(rng, *shape):
    return torch.tensor(rng.standard_normal(shape)).float().requires_grad_()


def cases(rng):
    yield "attend", tuple(normal(rng, 2, 3, 5, 4) for _ in range(3)), {}
    yield "attend", tuple(normal(rng, 1, 2, 150, 3) for _ in range(3)), {}
    yield "attend", tuple(normal(rng, 1, 1, 1, 2) for _ in range(3)), {}
