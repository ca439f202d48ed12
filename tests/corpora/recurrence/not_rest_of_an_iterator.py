# refuse: the first row has been taken from the iterator before the loop
import torch


def smooth(x):
    rows = iter(x)
    h = next(rows)
    out = []
    for row in rows:
        h = 0.9 * h + 0.1 * row
        out.append(h)
    return torch.stack(out)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.random(s), dtype=torch.float32)
    yield "smooth", (draw(5, 3),), {}
    yield "smooth", (draw(2, 3),), {}
