# expect: ASC108 safe scope=calc_mean_std
# expect: ASC108 safe scope=named_first
# expect: ASC108 safe scope=of_pixels
"""Mean and deviation stand apart in a block, of views that are written twice, in either order."""

import numpy as np
import torch


def calc_mean_std(feat, eps=1e-5):
    n, c = feat.size()[:2]
    var = feat.view(n, c, -1).var(dim=2) + eps
    std = var.sqrt().view(n, c, 1, 1)
    mean = feat.view(n, c, -1).mean(dim=2).view(n, c, 1, 1)
    return mean, std


def named_first(feat, eps=1e-5):
    flat = feat.flatten(2)
    mean = flat.mean(dim=-1)
    shape = (*mean.shape, 1, 1)
    std = (flat.var(dim=-1) + eps).sqrt()
    return mean.view(shape), std.view(shape)


def of_pixels(images):
    n, c, h, w = images.shape
    spread = images.view(n, c, -1).std(2) + 1e-5
    centre = images.view(n, c, -1).mean(2)
    return centre / spread


def largest(values):
    return float(np.max(values))


def cases(rng):
    def T(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32, requires_grad=True)

    for n in (1, 3):
        yield "calc_mean_std", (T(n, 2, 4, 5),), {}
        yield "named_first", (T(n, 2, 4, 5),), {}
        yield "of_pixels", (T(n, 2, 4, 5),), {}
