# refuse: SEP204 a bias is added
import torch
import torch.nn.functional as F


def f(x: torch.Tensor, g: torch.Tensor):
    return F.conv2d(x, torch.outer(g, g)[None, None], g[:1])


def cases(rng):
    for shape, k in (((2, 1, 9, 8), 3), ((1, 1, 25, 24), 13), ((2, 1, 30, 31), 23)):
        x = torch.tensor(rng.normal(size=shape), dtype=torch.float32)
        g = torch.tensor(rng.random(k) / k, dtype=torch.float32)
        yield "f", (x.requires_grad_(), g.requires_grad_()), {}
