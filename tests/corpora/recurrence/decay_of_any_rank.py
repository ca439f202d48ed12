# expect: ASC101 safe scope=run
import torch


def run(x, a):
    h = 0
    y = []
    for t in range(x.shape[1]):
        h = a * h + x[:, t]
        y.append(h)
    return torch.stack(y, 1)


def draw(rng, *shape, grad=True, dtype=torch.float32):
    x = torch.tensor(rng.standard_normal(shape), dtype=dtype)
    return x.requires_grad_() if grad else x


def cases(rng):
    for n in (1, 4):
        yield "run", (draw(rng, 4, n, 4), torch.rand(4, 4)), {}
    for n in (1, 4):
        yield "run", (draw(rng, 4, n, 4), torch.rand(4)), {}
    for n in (1, 4):
        yield "run", (draw(rng, 4, n, 4), 0.5), {}
