# expect: SEP204 safe scope=f
import torch
import torch.nn.functional as F


def f(x: torch.Tensor, g: torch.Tensor):
    b, c, h, w = x.shape
    (k,) = g.shape
    kernel = g.view(-1, 1) @ g.view(1, -1)
    kernel = kernel.view(1, 1, k, k).repeat(c, 1, 1, 1)
    return F.conv2d(x, kernel, stride=2, padding=(k // 2, 1), groups=c)


def cases(rng):
    for shape, k in (((2, 3, 9, 8), 3), ((1, 3, 25, 24), 13), ((2, 1, 30, 31), 23)):
        x = torch.tensor(rng.normal(size=shape), dtype=torch.float32)
        g = torch.tensor(rng.random(k) / k, dtype=torch.float32)
        yield "f", (x.requires_grad_(), g.requires_grad_()), {}
