# expect: ASC101 safe scope=run
import torch


def run(x: torch.Tensor, g: float):
    h = torch.zeros(x.shape[0], 1, x.shape[2])
    outs = []
    for xt in x.split(1, dim=1):
        h = g * h + xt
        outs.append(h)
    return torch.cat(outs, dim=1)


def draw(rng, *shape, grad=True, dtype=torch.float32):
    x = torch.tensor(rng.standard_normal(shape), dtype=dtype)
    return x.requires_grad_() if grad else x


def cases(rng):
    for n in (1, 8):
        yield "run", (draw(rng, 2, n, 3), 0.9), {}
