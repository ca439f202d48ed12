# expect: ASC101 safe scope=states
import torch


def states(g):
    steps, width = g.shape
    h = torch.zeros(width)
    hs = []
    before = []
    for t in range(steps):
        before.append(h)
        h = 0.9 * h + g[t]
        hs.append(h)
    hs = torch.stack(hs)
    before = torch.stack(before)
    return hs, before, h


def cases(rng):
    draw = lambda *s: torch.tensor(rng.random(s), dtype=torch.float32)
    yield "states", (draw(6, 2).requires_grad_(),), {}
    yield "states", (draw(2, 2),), {}
