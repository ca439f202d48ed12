# refuse: SEP204 the channels are added up
import torch
import torch.nn.functional as F


def f(x: torch.Tensor, g: torch.Tensor):
    b, c, h, w = x.shape
    (k,) = g.shape
    return F.conv2d(x, torch.outer(g, g).expand(1, c, k, k))


def cases(rng):
    for shape, k in (((2, 3, 9, 8), 3), ((1, 3, 25, 24), 13), ((2, 1, 30, 31), 23)):
        x = torch.tensor(rng.normal(size=shape), dtype=torch.float32)
        g = torch.tensor(rng.random(k) / k, dtype=torch.float32)
        yield "f", (x.requires_grad_(), g.requires_grad_()), {}
