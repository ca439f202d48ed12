# expect: ASC107 safe scope=soft_assign
# expect: SEP205 safe scope=soft_assign
import torch


def soft_assign(points, centres, beta=2.0):
    """Soft k-means responsibilities of (n, d) points to (k, d) centres."""
    d2 = ((points[:, None, :] - centres[None, :, :]) ** 2).sum(-1)
    closest = d2.min(dim=1, keepdim=True)[0]
    r = torch.exp(-beta * (d2 - closest))
    r = r / r.sum(dim=1, keepdim=True)
    return r


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32)
    yield "soft_assign", (draw(9, 2).requires_grad_(), draw(4, 2).requires_grad_()), {}
