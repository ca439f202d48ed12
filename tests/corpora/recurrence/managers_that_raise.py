# expect: ASC101 safe scope=smoothed
# expect: ASC101 safe scope=averaged
from contextlib import contextmanager
from time import perf_counter

import torch


class Timer:
    def __enter__(self):
        self.start = perf_counter()
        return self

    def __exit__(self, kind, value, trace):
        self.seconds = perf_counter() - self.start


@contextmanager
def named(text):
    try:
        yield
    except IndexError as error:
        raise ValueError(text) from error


def smoothed(x: torch.Tensor, g: torch.Tensor):
    h = torch.zeros(x.shape[1])
    out = torch.zeros(x.shape[0], x.shape[1])
    with Timer():
        for t in range(x.shape[0]):
            h = g[t] * h + x[t]
            out[t] = h
    return out


def averaged(x: torch.Tensor):
    h = torch.zeros(x.shape[1])
    out = []
    with named("too short"):
        for t in range(x.shape[0]):
            h = 0.9 * h + x[t]
            out.append(h)
    return torch.stack(out)


def cases(rng):
    for n in (5, 1):
        yield "smoothed", (torch.randn(n, 3), torch.rand(n)), {}
        yield "averaged", (torch.randn(n, 3),), {}
