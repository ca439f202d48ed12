# refuse: each step sums all rows so far, which a tuple holds
import torch
from torch import Tensor


def run(x: Tensor, a: Tensor):
    batch, steps, width = x.shape
    h = torch.zeros(batch, width)
    outs = []
    history = ()
    for t in range(steps):
        history = history + (x[:, t],)
        h = a * h + sum(history)
        outs.append(h)
    return torch.stack(outs, 1)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.random(s), dtype=torch.float32, requires_grad=True)
    yield "run", (draw(2, 6, 3), draw(3)), {}
