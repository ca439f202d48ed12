# refuse: SEP204 the vector is changed through a view after the filter is made of it
import torch
import torch.nn.functional as F


def blurred(x: torch.Tensor, g: torch.Tensor):
    (size,) = g.shape
    kernel = g[:, None] * g[None, :]
    flat = g.view(-1)
    flat.mul_(2).add_(1)
    kernel = kernel / kernel.sum()
    channels = x.shape[1]
    kernel = kernel.expand(channels, 1, size, size)
    return F.conv2d(x, kernel, padding=size // 2, groups=channels)


def cases(rng):
    yield "blurred", (torch.randn(1, 2, 6, 7), torch.rand(3)), {}
