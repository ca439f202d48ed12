# expect: ASC101 safe scope=smoothed
from functools import partial

import torch


def _step(decay, h, x):
    return h * decay + x


def smoothed(xs: torch.Tensor, decay: float):
    step = partial(_step, decay)
    h = torch.zeros_like(xs[0])
    out = []
    for x in xs:
        h = step(h, x)
        out.append(h)
    return torch.stack(out)


def cases(rng):
    for steps in (1, 2, 9):
        x = torch.tensor(rng.standard_normal((steps, 3)), requires_grad=True)
        yield "smoothed", (x, 0.9), {}
