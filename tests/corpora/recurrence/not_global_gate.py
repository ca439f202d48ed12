# refuse: the last gate stays behind in a global name
import torch

gate = None


def smooth(x):
    global gate
    steps, width = x.shape
    h = torch.zeros(width)
    out = []
    for t in range(steps):
        gate = torch.sigmoid(x[t])
        h = gate * h + x[t]
        out.append(h)
    return torch.stack(out)


def run(x):
    return smooth(x), gate


def cases(rng):
    draw = lambda *s: torch.tensor(rng.random(s), dtype=torch.float32)
    yield "run", (draw(5, 3),), {}
    yield "run", (draw(1, 3),), {}
