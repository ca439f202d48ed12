# refuse: the first value goes to the last row, the others one row up
import torch


def shifted(x, g: float):
    steps, width = x.shape
    out = torch.zeros(steps, width)
    h = torch.zeros(width)
    for t in range(steps):
        h = g * h + x[t]
        out[t - 1] = h
    return out


def cases(rng):
    draw = lambda *s: torch.tensor(rng.random(s), dtype=torch.float32)
    yield "shifted", (draw(5, 3), 0.9), {}
    yield "shifted", (draw(1, 3), 0.9), {}
