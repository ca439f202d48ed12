# expect: SEP204 safe scope=f
import torch
import torch.nn.functional as F


def f(x: torch.Tensor, g: torch.Tensor):
    kernel = torch.einsum("i,j->ij", g, g)
    kernel = kernel / kernel.sum()
    return torch.relu(F.conv2d(x, kernel[None, None]))


def cases(rng):
    for shape, k in (((2, 1, 9, 8), 3), ((1, 1, 25, 24), 13), ((2, 1, 30, 31), 23)):
        x = torch.tensor(rng.normal(size=shape), dtype=torch.float32)
        g = torch.tensor(rng.random(k) / k, dtype=torch.float32)
        yield "f", (x.requires_grad_(), g.requires_grad_()), {}
