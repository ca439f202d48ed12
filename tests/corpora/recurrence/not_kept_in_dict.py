# refuse: a dictionary holds the array that the loop changes in place
import torch


def run(x):
    steps, width = x.shape
    h = torch.zeros(width)
    state = {"h": h}
    out = []
    for t in range(steps):
        h *= 0.5
        h += x[t]
        out.append(h.clone())
    return torch.stack(out), state


def cases(rng):
    draw = lambda *s: torch.tensor(rng.random(s), dtype=torch.float32)
    yield "run", (draw(5, 3),), {}
    yield "run", (draw(1, 3),), {}
