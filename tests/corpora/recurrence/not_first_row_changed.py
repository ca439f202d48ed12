# refuse: from the second step on the first input row is changed in place
import torch


def smooth(x, g: float):
    steps, width = x.shape
    out = torch.zeros_like(x)
    h = torch.zeros(width)
    for t in range(steps):
        if t == 0:
            h = x[t]
        else:
            h *= g
            h += x[t]
        out[t] = h
    return out


def cases(rng):
    draw = lambda *s: torch.tensor(rng.random(s), dtype=torch.float32)
    yield "smooth", (draw(5, 3), 0.9), {}
    yield "smooth", (draw(1, 3), 0.9), {}
