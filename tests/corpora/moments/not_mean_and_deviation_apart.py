# refuse: ASC108 the array is another one by the time the mean is taken
"""The array, or what its view is made of, is another one by the time the mean is taken."""

import torch


def rebound(feat, eps=1e-5):
    n, c = feat.size()[:2]
    std = (feat.view(n, c, -1).var(dim=2) + eps).sqrt()
    feat = feat * 2
    mean = feat.view(n, c, -1).mean(dim=2)
    return mean, std


def written(feat, eps=1e-5):
    n, c = feat.size()[:2]
    std = (feat.view(n, c, -1).var(dim=2) + eps).sqrt()
    feat.mul_(2)
    mean = feat.view(n, c, -1).mean(dim=2)
    return mean, std


def written_under_another_name(feat, eps=1e-5):
    other = feat
    std = (feat.view(feat.size(0), -1).var(dim=1) + eps).sqrt()
    other += 1
    mean = feat.view(feat.size(0), -1).mean(dim=1)
    return mean, std


def other_view(feat, eps=1e-5):
    n, c = feat.size()[:2]
    std = (feat.view(n, c, -1).var(dim=2) + eps).sqrt()
    n, c = c, n
    mean = feat.view(n, c, -1).mean(dim=2)
    return mean, std


def sometimes(feat, plain):
    std = feat.flatten(1).var(dim=1).sqrt()
    mean = 0.0 if plain else feat.flatten(1).mean(dim=1)
    return mean, std


def cases(rng):
    def T(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32)

    for n in (2, 3):
        yield "rebound", (T(n, 2, 4, 5),), {}
        yield "written", (T(n, 2, 4, 5),), {}
        yield "written_under_another_name", (T(n, 2, 4, 5),), {}
        yield "other_view", (T(n, 2, 4, 5),), {}
        yield "sometimes", (T(n, 2, 4, 5), False), {}
