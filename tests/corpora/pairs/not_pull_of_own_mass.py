# refuse: the mass of the particle that is pulled is not that of the one that pulls
import torch


def forces(x: torch.Tensor, mass: torch.Tensor, eps: float):
    apart = x[None] - x[:, None]
    square = (apart**2).sum(-1) + eps**2
    return (mass[:, None, None] * apart * square[..., None] ** -1.5).sum(1)


def cases(rng):
    x = torch.tensor(rng.standard_normal((5, 3)))
    yield "forces", (x, torch.tensor(rng.random(5)), 0.1), {}
