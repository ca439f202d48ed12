# may: ASC101 safe scope=states
import torch


def states(x, g: float):
    steps, width = x.shape
    u = torch.ones(width)
    h = u
    out = []
    for t in range(steps):
        out.append(h)
        u = x[t] * 2
        h = g * h + u
    return torch.stack(out), h


def cases(rng):
    draw = lambda *s: torch.tensor(rng.random(s), dtype=torch.float32)
    yield "states", (draw(6, 2), 0.5), {}
    yield "states", (draw(1, 2), 0.5), {}
