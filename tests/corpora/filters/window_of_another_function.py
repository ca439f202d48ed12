# expect: SEP204 safe scope=local_mean
from math import exp

import torch
import torch.nn.functional as F


def gaussian(window_size, sigma):
    gauss = torch.Tensor(
        [exp(-((x - window_size // 2) ** 2) / float(2 * sigma**2)) for x in range(window_size)]
    )
    return gauss / gauss.sum()


def create_window(window_size, channel):
    _1D_window = gaussian(window_size, 1.5).unsqueeze(1)
    _2D_window = _1D_window.mm(_1D_window.t()).float().unsqueeze(0).unsqueeze(0)
    return _2D_window.expand(channel, 1, window_size, window_size).contiguous()


def local_mean(img, window_size=11):
    (_, channel, _, _) = img.size()
    window = create_window(window_size, channel)
    return F.conv2d(img, window, padding=window_size // 2, groups=channel)


def cases(rng):
    yield (
        "local_mean",
        (torch.from_numpy(rng.standard_normal((2, 3, 18, 19))).float().requires_grad_(),),
        {},
    )
