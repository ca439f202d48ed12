# expect: ASC101 safe scope=run
import torch


def run(x, a, b):
    batch, steps, width = x.shape
    h = torch.zeros(batch, width)
    out = torch.empty(batch, 0, width)
    for t in range(steps):
        h = a * h + b * x[:, t]
        out = torch.cat([out, h.unsqueeze(1)], dim=1)
    return out


def cases(rng):
    draw = lambda *s: torch.tensor(rng.random(s), dtype=torch.float32, requires_grad=True)
    yield "run", (draw(2, 6, 3), draw(3), draw(3)), {}
    yield "run", (draw(2, 1, 3), 0.5, 0.25), {}
