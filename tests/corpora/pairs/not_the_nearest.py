# refuse: LOC305 a minimum over pairs is no sum
import torch


def f(position: torch.Tensor, mass: torch.Tensor):
    apart = (position[:, None, :] - position[None, :, :]).pow(2).sum(-1)
    return apart.sqrt().amin(1) * mass


def cases(rng):
    for n in (1, 2, 7):
        yield "f", (torch.tensor(rng.normal(size=(n, 3))), torch.tensor(rng.random(n))), {}
