# refuse: takes ten items from an iterator that the caller goes on reading
import torch


def warm_up(stream, decay):
    s = next(stream)
    for _ in range(10):
        x = next(stream)
        s = decay * s + (1 - decay) * x
    return s


def two_phases(data):
    stream = iter(data)
    first = warm_up(stream, 0.9)
    return first, list(stream)


def cases(rng):
    yield "two_phases", (torch.tensor(rng.standard_normal((15, 2)), dtype=torch.float32),), {}
