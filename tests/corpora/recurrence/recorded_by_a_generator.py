# expect: ASC101 safe scope=smoothed
# expect: ASC101 safe scope=doubled
import torch

LOG = []


def smoothed(x: torch.Tensor, a: float):
    def run(x):
        h = torch.zeros_like(x[0])
        LOG.append(h)
        for v in x:
            h = a * h + v
            yield h

    return torch.stack(list(run(x)))


def doubled(x: torch.Tensor, a: float):
    def run(x):
        h = torch.zeros_like(x[0])
        x.mul_(2)
        for v in x:
            h = a * h + v
            yield h

    return torch.stack(list(run(x)))


def cases(rng):
    yield "smoothed", (torch.randn(5, 3), 0.5), {}
    yield "doubled", (torch.randn(5, 3), 0.5), {}
