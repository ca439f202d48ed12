# expect: ASC101 safe scope=smooth
# expect: ASC101 safe scope=smooth_by_default
# expect: ASC101 safe scope=Smooth.forward
import math
from typing import Optional, Union

import torch
from torch import nn


def smooth(x: torch.Tensor, scale: float | None = None):
    batch, steps, width = x.shape
    if scale is None:
        scale = 1 / math.sqrt(width)
    h, out = torch.zeros(batch, width), []
    for t in range(steps):
        h = 0.9 * h + scale * x[:, t]
        out.append(h)
    return torch.stack(out, 1)


def smooth_by_default(x: torch.Tensor, scale: Optional[float] = None):
    batch, steps, width = x.shape
    scale = scale or width**-0.5
    h, out = torch.zeros(batch, width), torch.zeros_like(x)
    for t in range(steps):
        h = 0.9 * h + scale * x[:, t]
        out[:, t] = h
    return out


class Smooth(nn.Module):
    def forward(self, x: torch.Tensor, scale: Union[float, None] = None):
        batch, steps, width = x.shape
        scale = width**-0.5 if scale is None else scale
        h, out = torch.zeros(batch, width), []
        for t in range(steps):
            h = 0.9 * h + scale * x[:, t]
            out.append(h)
        return torch.stack(out, 1)


def cases(rng):
    for n in (1, 2, 9):
        for scale in (None, 0.5, 0.0):
            x = torch.tensor(rng.standard_normal((2, n, 4)), dtype=torch.float32)
            for name in ("smooth", "smooth_by_default", "Smooth()"):
                yield name, (x.requires_grad_(), scale), {}
