# refuse: SEP204 the filters of two channels differ
import torch
import torch.nn.functional as F


def scaled(x: torch.Tensor, gains: torch.Tensor, k: int):
    channels = x.shape[1]
    kernel = torch.ones(channels, 1, k, k) * gains[:, None, None, None]
    return F.conv2d(x, kernel, padding=k // 2, groups=channels)


def cases(rng):
    image = torch.tensor(rng.normal(size=(2, 3, 9, 8)), dtype=torch.float32)
    yield "scaled", (image, torch.tensor([1.0, 2.0, 3.0]), 3), {}
