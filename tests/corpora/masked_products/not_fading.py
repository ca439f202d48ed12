# refuse: SPA404 after infinitely many steps nothing that is zero is left
import torch


def growing(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
    b, n, d = q.shape
    at = torch.arange(n)
    steps = (at[:, None] - at[None]).float().masked_fill(at[:, None] < at[None], torch.inf)
    return (q @ k.transpose(-1, -2) * torch.exp(0.2 * steps).clamp(max=9)) @ v


def lasting(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
    b, n, d = q.shape
    at = torch.arange(n)
    steps = torch.where(at[:, None] >= at[None], at[:, None] - at[None], torch.inf)
    return (q @ k.transpose(-1, -2) * 1.0**steps) @ v


def replaced_by_one(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
    b, n, d = q.shape
    at = torch.arange(n)
    steps = torch.where(at[:, None] >= at[None], at[:, None] - at[None], torch.nan)
    return (q @ k.transpose(-1, -2) * torch.nan_to_num(0.9**steps, nan=1.0)) @ v


def cases(rng):
    for n in (5, 2):
        q, k, v = (torch.tensor(rng.standard_normal((2, n, 4))) for _ in range(3))
        for name in ("growing", "lasting", "replaced_by_one"):
            yield name, (q, k, v), {}
