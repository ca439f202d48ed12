# expect: ASC101 safe scope=run
import torch


def run(x: torch.Tensor, a: torch.Tensor, h):
    outs = []
    for t in range(x.size(1)):
        h = a[:, t] * h + x[:, t]
        outs.append(h)
    return torch.stack(outs, 1), h


def draw(rng, *shape, grad=True, dtype=torch.float32):
    x = torch.tensor(rng.standard_normal(shape), dtype=dtype)
    return x.requires_grad_() if grad else x


def cases(rng):
    for n in (1, 8):
        yield "run", (draw(rng, 2, n, 3), draw(rng, 2, n, 3), draw(rng, 2, 3)), {}
