# refuse: the decay that the step was given is not the one that the name has later
from functools import partial

import torch


def _step(decay, h, x):
    return torch.where(x > decay, h, h * decay + x)


def smoothed(xs: torch.Tensor, decay: float):
    step = partial(_step, decay)
    h = torch.zeros_like(xs[0])
    out = []
    for x in xs:
        decay = decay * h.mean()
        h = step(h, x)
        out.append(h)
    return torch.stack(out), decay


def cases(rng):
    x = torch.tensor(rng.standard_normal((4, 3)))
    yield "smoothed", (x, 0.9), {}
