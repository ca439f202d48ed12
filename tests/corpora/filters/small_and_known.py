# expect: SEP204 advice scope=f
import torch
import torch.nn.functional as F


def f(x: torch.Tensor, g: torch.Tensor):
    sobel = torch.tensor([[1.0, 0.0, -1.0], [2.0, 0.0, -2.0], [1.0, 0.0, -1.0]])
    return F.conv2d(x, sobel[None, None]) * g.sum()


def cases(rng):
    for shape, k in (((2, 1, 9, 8), 3), ((1, 1, 25, 24), 13), ((2, 1, 30, 31), 23)):
        x = torch.tensor(rng.normal(size=shape), dtype=torch.float32)
        g = torch.tensor(rng.random(k) / k, dtype=torch.float32)
        yield "f", (x.requires_grad_(), g.requires_grad_()), {}
