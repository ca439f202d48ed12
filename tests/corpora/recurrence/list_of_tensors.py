# expect: ASC101 safe scope=smooth
import torch


def smooth(xs, gamma: float):
    h = torch.zeros_like(xs[0])
    out = []
    for x in xs:
        h = gamma * h + x
        out.append(h)
    return torch.stack(out)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.random(s), dtype=torch.float32)
    yield "smooth", ([draw(3), draw(3)], 0.9), {}
    yield "smooth", (draw(4, 3), 0.9), {}
    yield "smooth", ((draw(3), draw(3), draw(3)), 0.9), {}
