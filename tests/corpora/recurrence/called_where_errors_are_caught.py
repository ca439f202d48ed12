# expect: ASC101 unsafe scope=smoothed
# expect: ASC101 unsafe scope=Filter.forward
# expect: ASC101 safe scope=averaged
from contextlib import suppress

import torch


def smoothed(x: torch.Tensor, g: torch.Tensor):
    """Gates that end early raise an ``IndexError`` in the loop only."""
    h = torch.zeros(x.shape[1])
    out = []
    for t in range(x.shape[0]):
        h = g[t] * h + x[t]
        out.append(h)
    return torch.stack(out)


def both(x: torch.Tensor, g: torch.Tensor):
    return smoothed(x, g), smoothed(x, 1 - g)


def perhaps(x: torch.Tensor, g: torch.Tensor):
    try:
        return both(x, g)
    except IndexError:
        return None


class Filter(torch.nn.Module):
    def forward(self, x: torch.Tensor, g: torch.Tensor):
        h = torch.zeros(x.shape[1])
        out = []
        for t in range(x.shape[0]):
            h = g[t] * h + x[t]
            out.append(h)
        return torch.stack(out)


model = Filter()


def tried(x: torch.Tensor, g: torch.Tensor):
    out = None
    with suppress(IndexError):
        out = model(x, g)
    return out


def averaged(x: torch.Tensor):
    h = torch.zeros(x.shape[1])
    out = []
    for t in range(x.shape[0]):
        h = 0.9 * h + x[t]
        out.append(h)
    return torch.stack(out)


def named(x: torch.Tensor):
    try:
        return averaged(x)
    except IndexError as error:
        raise ValueError("rows are wanted") from error


def cases(rng):
    for n in (5, 1):
        for m in (n, 1):
            yield "perhaps", (torch.randn(n, 3), torch.rand(m)), {}
            yield "tried", (torch.randn(n, 3), torch.rand(m)), {}
        yield "named", (torch.randn(n, 3),), {}
