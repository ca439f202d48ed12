# expect: ASC101 safe scope=polyak
import torch


def polyak(x: torch.Tensor):
    N, D = x.shape
    avg = torch.zeros(D)
    trace = torch.empty_like(x)
    for t in range(N):
        w = 1.0 / (t + 1)
        avg = (1 - w) * avg + w * x[t]
        trace[t] = avg
    return trace


def draw(rng, *shape, grad=True, dtype=torch.float32):
    x = torch.tensor(rng.standard_normal(shape), dtype=dtype)
    return x.requires_grad_() if grad else x


def cases(rng):
    for n in (1, 2, 9):
        yield "polyak", (draw(rng, n, 3),), {}
