# refuse: ASC101 some steps do not read what starts infinite, and zero times it is no number
"""The last row that is kept, from minus infinity on."""

import torch


def last_kept(x: torch.Tensor, keep: torch.Tensor):
    steps, d = x.shape
    h = torch.full((d,), -float("inf"))
    out = []
    for t in range(steps):
        h = torch.where(keep[t] > 0, x[t], h)
        out.append(h)
    return torch.stack(out)


def halved(x: torch.Tensor, keep: torch.Tensor):
    steps, d = x.shape
    h = torch.full((d,), float("inf"))
    out = []
    for t in range(steps):
        h = torch.where(keep[t] > 0, x[t], 0.5 * h)
        out.append(h)
    return torch.stack(out)


def cases(rng):
    for steps, d in [(5, 3), (1, 1)]:
        x = torch.tensor(rng.normal(size=(steps, d)))
        keep = torch.tensor(rng.integers(0, 2, size=(steps, d)))
        yield "last_kept", (x, keep), {}
        yield "halved", (x, keep), {}
