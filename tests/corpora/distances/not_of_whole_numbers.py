# refuse: SEP205 whole numbers keep their type
import torch


def f(x: torch.Tensor, y: torch.Tensor):
    a, b = x.to(torch.int32), y.to(torch.int32)
    apart = a[:, None] - b[None]
    return torch.einsum("ijk,ijk->ij", apart, apart)


def cases(rng):
    yield "f", (torch.randint(-9, 9, (7, 3)), torch.randint(-9, 9, (5, 3))), {}
