# expect: ASC101 safe scope=smooth
# What is walked may be a tensor or a list, of rows or of numbers.
import torch


def smooth(xs, gates, width: int):
    h = torch.zeros(width, dtype=torch.float64)
    out = []
    for x, gate in zip(xs, gates):
        h = gate * h + x
        out.append(h)
    return torch.stack(out)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.random(s))
    yield "smooth", ([0.1, 0.7, 0.3], [0.5, 0.2, 0.9], 3), {}
    yield "smooth", (rng.random(4), draw(4, 3), 3), {}
    yield "smooth", ((draw(3), draw(3)), draw(2), 3), {}
