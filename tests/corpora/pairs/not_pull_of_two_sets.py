# refuse: what pulls is another set than what is pulled
import torch


def forces(x: torch.Tensor, y: torch.Tensor, mass: torch.Tensor, eps: float):
    apart = y[None] - x[:, None]
    square = (apart**2).sum(-1) + eps**2
    return (mass[None, :, None] * apart * square[..., None] ** -1.5).sum(1)


def cases(rng):
    x, y = (torch.tensor(rng.standard_normal((n, 3))) for n in (5, 4))
    yield "forces", (x, y, torch.tensor(rng.random(4)), 0.1), {}
