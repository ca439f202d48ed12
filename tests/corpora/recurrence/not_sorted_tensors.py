# refuse: `sorted` gives a list of tensors, and the other is one now and then

import torch


def smoothed_in_order(x: torch.Tensor):
    x = sorted(x)
    out = []
    h = 0.0
    for v in x:
        h = 0.5 * h + v
        out.append(h)
    return torch.stack(out)


def smoothed_rows(x: torch.Tensor):
    x = x if len(x) > 2 else list(x)
    out = []
    h = 0.0
    for v in x:
        h = 0.5 * h + v
        out.append(h)
    return torch.stack(out)


def cases(rng):
    for n in (1, 2, 7):
        x = torch.tensor(rng.standard_normal(n))
        yield "smoothed_in_order", (x,), {}
        yield "smoothed_rows", (x,), {}
