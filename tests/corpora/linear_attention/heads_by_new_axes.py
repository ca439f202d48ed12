# expect: ASC103 safe scope=retain
import torch


def retain(q, k, v, gamma):
    """gamma: one decay for each head."""
    b, h, l, d = q.shape
    S = torch.zeros(b, h, d, d)
    out = torch.zeros_like(v)
    for i in range(l):
        kv = torch.einsum("bhd,bhe->bhde", k[:, :, i], v[:, :, i])
        S = gamma[:, None, None] * S + kv
        out[:, :, i] = torch.einsum("bhd,bhde->bhe", q[:, :, i], S)
    return out


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32).requires_grad_()
    for b, l in ((1, 1), (3, 3), (2, 66)):
        gamma = torch.tensor(rng.random(3)).float().requires_grad_()
        yield "retain", (draw(b, 3, l, 4), draw(b, 3, l, 4), draw(b, 3, l, 4), gamma), {}
