# expect: ASC101 safe scope=smooth
import torch


def smooth(x, g: float):
    steps, width = x.shape
    h = torch.ones(width)
    out = [h]
    for t in range(steps):
        h = g * h + x[t]
        out.append(h)
    return torch.stack(out), h


def cases(rng):
    draw = lambda *s: torch.tensor(rng.random(s), dtype=torch.float32)
    yield "smooth", (draw(6, 2).requires_grad_(), 0.5), {}
    yield "smooth", (draw(1, 2), 0.5), {}
