# expect: LOC305 advice scope=f
import torch


def f(position: torch.Tensor, mass: torch.Tensor):
    apart = position.unsqueeze(0) - position.unsqueeze(1)
    near = (apart.pow(2).sum(-1) + 1e-3).pow(-1.5)
    return torch.einsum("ij,ijk,j->ik", near, apart, mass)


def cases(rng):
    for n in (1, 2, 7):
        yield "f", (torch.tensor(rng.normal(size=(n, 3))), torch.tensor(rng.random(n))), {}
