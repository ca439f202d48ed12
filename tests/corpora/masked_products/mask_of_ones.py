# expect: SPA404 safe scope=attend
import torch


def attend(q, k, v):
    b, h, n, d = q.shape
    mask = torch.ones(n, n, device=q.device).tril()
    sim = torch.einsum("bhid,bhjd->bhij", q * d**-0.5, k)
    sim = sim * mask
    return torch.einsum("bhij,bhje->bhie", sim, v)


def normal(rng, *shape):
    return torch.tensor(rng.standard_normal(shape)).float().requires_grad_()


def cases(rng):
    yield "attend", tuple(normal(rng, 2, 3, 5, 4) for _ in range(3)), {}
    yield "attend", tuple(normal(rng, 1, 2, 150, 3) for _ in range(3)), {}
    yield "attend", tuple(normal(rng, 1, 1, 1, 2) for _ in range(3)), {}
