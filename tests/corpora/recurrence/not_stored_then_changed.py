# refuse: the list holds one array, which every step changes in place
import torch


def smooth(x, a):
    steps, width = x.shape
    steps, width = a.shape
    h = torch.zeros(width)
    out = []
    for t in range(steps):
        h *= a[t]
        h += x[t]
        out.append(h)
    return torch.stack(out)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.random(s), dtype=torch.float32)
    yield "smooth", (draw(5, 3), draw(5, 3)), {}
    yield "smooth", (draw(1, 3), draw(1, 3)), {}
