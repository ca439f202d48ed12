# expect: LOC305 safe scope=field
"""No softening: a particle is left out of its own sum."""

import torch


def field(x: torch.Tensor, charge: torch.Tensor, k: float):
    (n,) = charge.shape
    away = x[:, None, :] - x[None, :, :]
    r2 = away.pow(2).sum(dim=2)
    here = torch.eye(n, dtype=torch.bool)
    strength = torch.where(here, 0.0, k * charge[None, :] * r2.rsqrt() ** 3)
    return (strength[:, :, None] * away).sum(dim=1)


def cases(rng):
    for n, d in ((6, 3), (2, 2)):
        x = torch.tensor(rng.standard_normal((n, d)))
        yield "field", (x, torch.tensor(rng.standard_normal(n)), 2.0), {}
