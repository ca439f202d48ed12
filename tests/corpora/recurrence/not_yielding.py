# refuse: a generator; the caller may stop after any item
import torch


def running_state(x, decay):
    h = torch.zeros_like(x[0])
    for x_t in x:
        h = decay * h + x_t
        yield h


def first_large(x, decay):
    for h in running_state(x, decay):
        if h.norm() > 2:
            return h
    return None


def cases(rng):
    yield "first_large", (torch.tensor(rng.standard_normal((30, 3))), 0.9), {}
