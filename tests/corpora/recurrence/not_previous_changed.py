# refuse: the state before the step is the same array as the state after it
import torch


def increments(x, g: float):
    steps, width = x.shape
    out = []
    h = torch.zeros(width)
    prev = torch.zeros(width)
    for t in range(steps):
        h *= g
        h += x[t]
        out.append(h - prev)
        prev = h
    return torch.stack(out)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.random(s), dtype=torch.float32)
    yield "increments", (draw(5, 3), 0.9), {}
    yield "increments", (draw(1, 3), 0.9), {}
