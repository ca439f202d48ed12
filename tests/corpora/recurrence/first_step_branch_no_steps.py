# expect: ASC101 safe scope=run
import torch


def run(x: torch.Tensor, a: float):
    out = torch.zeros_like(x)
    for t in range(x.shape[0]):
        if t == 0:
            h = x[t]
        else:
            h = a * h + (1 - a) * x[t]
        out[t] = h
    return out


def draw(rng, *shape, grad=True, dtype=torch.float32):
    x = torch.tensor(rng.standard_normal(shape), dtype=dtype)
    return x.requires_grad_() if grad else x


def cases(rng):
    for n in (0, 1, 4):
        yield "run", (draw(rng, n, 3, grad=False), 0.5), {}
