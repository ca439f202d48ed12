# refuse: each particle meets itself at a distance of zero, which gives NaN
import torch


def forces(x: torch.Tensor, mass: torch.Tensor):
    assert x.ndim == 2 and mass.ndim == 1
    apart = x[None] - x[:, None]
    square = (apart**2).sum(-1) + 0.0**2
    return (mass[None, :, None] * apart * square[..., None] ** -1.5).sum(1)


def cases(rng):
    x = torch.tensor(rng.standard_normal((1, 3)))
    yield "forces", (x[:0], torch.tensor(rng.random(0))), {}
