# refuse: range is not Python's
import torch

range = lambda n: [0, 0, 1][:n]


def smooth(x, g: float):
    steps, width = x.shape
    h = torch.zeros(width)
    out = []
    for t in range(steps):
        h = g * h + x[t]
        out.append(h)
    return torch.stack(out)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.random(s), dtype=torch.float32)
    yield "smooth", (draw(3, 3), 0.9), {}
