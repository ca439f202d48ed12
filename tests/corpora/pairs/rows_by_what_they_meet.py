# expect: SEP205 advice scope=gravity
import torch


def gravity(pos: torch.Tensor, mass: torch.Tensor, eps: float = 1e-2):
    """The new axes say that the positions are rows."""
    acc = torch.zeros_like(pos)
    for i in range(pos.shape[0]):
        d = pos - pos[i]
        r2 = (d * d).sum(dim=-1) + eps**2
        acc[i] = (mass[:, None] * d / r2[:, None] ** 1.5).sum(dim=0)
    return acc


def cases(rng):
    for n in (5, 1):
        yield "gravity", (torch.randn(n, 3), torch.rand(n)), {}
