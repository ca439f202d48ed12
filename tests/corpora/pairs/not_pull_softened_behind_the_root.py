# refuse: the softening is added to the distance, not to its square
import torch


def forces(x: torch.Tensor, mass: torch.Tensor, eps: float):
    apart = x[None] - x[:, None]
    distance = (apart**2).sum(-1).sqrt() + eps
    return (mass[None, :, None] * apart / distance[..., None] ** 3).sum(1)


def cases(rng):
    x = torch.tensor(rng.standard_normal((5, 3)))
    yield "forces", (x, torch.tensor(rng.random(5)), 0.1), {}
