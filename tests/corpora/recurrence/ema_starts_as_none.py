# expect: ASC101 safe scope=ema
import torch


def ema(x, beta=0.9):
    h = None
    out = []
    for t in range(x.size(1)):
        xt = x[:, t]
        if h is None:
            h = xt
        else:
            h = beta * h + (1 - beta) * xt
        out.append(h)
    return torch.stack(out, dim=1)


def draw(rng, *shape, grad=True, dtype=torch.float32):
    x = torch.tensor(rng.standard_normal(shape), dtype=dtype)
    return x.requires_grad_() if grad else x


def cases(rng):
    for n in (1, 2, 9):
        yield "ema", (draw(rng, 2, n, 3),), {}
