# expect: ASC101 safe scope=ema
import torch


def ema(xs: torch.Tensor, beta: float):
    h = None
    out = []
    for x in xs:
        h = x if h is None else torch.lerp(x, h, beta)
        out.append(h)
    return torch.stack(out)


def draw(rng, *shape, grad=True, dtype=torch.float32):
    x = torch.tensor(rng.standard_normal(shape), dtype=dtype)
    return x.requires_grad_() if grad else x


def cases(rng):
    for n in (1, 2, 9):
        yield "ema", (draw(rng, n, 3), 0.8), {}
