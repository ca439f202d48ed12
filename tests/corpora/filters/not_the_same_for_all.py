# refuse: SEP204 each channel has a filter of its own
import torch
import torch.nn.functional as F


def f(x: torch.Tensor, g: torch.Tensor):
    b, c, h, w = x.shape
    (k,) = g.shape
    kernel = torch.outer(g, g).expand(c, 1, k, k) * torch.arange(1.0, c + 1)[:, None, None, None]
    return F.conv2d(x, kernel, groups=c)


def cases(rng):
    for shape, k in (((2, 3, 9, 8), 3), ((1, 3, 25, 24), 13), ((2, 1, 30, 31), 23)):
        x = torch.tensor(rng.normal(size=shape), dtype=torch.float32)
        g = torch.tensor(rng.random(k) / k, dtype=torch.float32)
        yield "f", (x.requires_grad_(), g.requires_grad_()), {}
