# expect: ASC101 safe scope=both
import torch


def both(g):
    steps, width = g.shape
    a = torch.zeros(width)
    xs, ys = [], []
    for t in range(steps):
        a = 0.9 * a + g[t]
        xs.append(a)
        ys.append(a * g[t])
    xs = torch.stack(xs)
    ys = torch.stack(ys, dim=1)
    return xs, ys


def cases(rng):
    draw = lambda *s: torch.tensor(rng.random(s), dtype=torch.float32)
    yield "both", (draw(6, 2).requires_grad_(),), {}
    yield "both", (draw(1, 2).requires_grad_(),), {}
