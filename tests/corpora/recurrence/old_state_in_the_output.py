# expect: ASC101 safe scope=errors
import torch


def errors(x, a):
    batch, steps, width = x.shape
    batch, steps, width = a.shape
    h = x.new_zeros(batch, width)
    hs = torch.empty_like(x)
    es = torch.empty_like(x)
    for t in range(steps):
        e = x[:, t] - h
        h = h + a[:, t] * e
        hs[:, t] = h
        es[:, t] = e
    return hs, es, h


def cases(rng):
    draw = lambda *s: torch.tensor(rng.random(s), dtype=torch.float32)
    yield "errors", (draw(2, 6, 2).requires_grad_(), draw(2, 6, 2)), {}
    yield "errors", (draw(2, 1, 2), draw(2, 1, 2)), {}
