# refuse: SEP204 one entry is another
import torch
import torch.nn.functional as F


def around(x: torch.Tensor, r: int):
    k = 2 * r + 1
    channels = x.shape[1]
    kernel = torch.ones(channels, 1, k, k)
    kernel[:, :, r, r] = 0
    return F.conv2d(x, kernel, padding=r, groups=channels)


def cases(rng):
    yield "around", (torch.tensor(rng.normal(size=(2, 3, 9, 8)), dtype=torch.float32), 1), {}
