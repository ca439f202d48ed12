# expect: ASC101 safe scope=smooth
import torch


def smooth(x):
    steps, width = x.shape
    h = torch.zeros(width)
    out = []
    for t in range(steps):
        u = x[t] * 2
        w = u
        u = torch.sigmoid(u)
        h = u * h + w
        out.append(h * u + w)
    return torch.stack(out)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.random(s), dtype=torch.float32)
    yield "smooth", (draw(6, 2).requires_grad_(),), {}
    yield "smooth", (draw(1, 2),), {}
