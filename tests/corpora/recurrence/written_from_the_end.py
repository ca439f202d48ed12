# may: ASC101 safe|advice scope=smooth
import torch


def smooth(x, g: float):
    steps, width = x.shape
    h = torch.zeros(width)
    out = torch.zeros_like(x)
    for t in range(steps):
        h = g * h + x[t]
        out[-t - 1] = h
    return out


def cases(rng):
    draw = lambda *s: torch.tensor(rng.random(s), dtype=torch.float32)
    yield "smooth", (draw(5, 3), 0.9), {}
    yield "smooth", (draw(1, 3), 0.9), {}
