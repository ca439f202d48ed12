# expect: ASC101 safe scope=run
# expect: ASC101 safe scope=last_of_the_step_before
import torch
from torch import Tensor


def run(x: Tensor, a: Tensor):
    batch, steps, width = x.shape
    h = torch.zeros(batch, width)
    outs = []
    pair = [h, h]
    for t in range(steps):
        pair = [x[:, t], x[:, 0]]
        h = a * h + pair[-1] + pair[0]
        outs.append(h)
    return torch.stack(outs, 1)


def last_of_the_step_before(x: Tensor, a: Tensor):
    batch, steps, width = x.shape
    h = torch.zeros(batch, width)
    outs = []
    pair = [x[:, 0], x[:, 1]]
    for t in range(steps):
        h = a * h + pair[-1]
        pair = [h, x[:, t]]
        outs.append(h)
    return torch.stack(outs, 1)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.random(s), dtype=torch.float32, requires_grad=True)
    for name in ("run", "last_of_the_step_before"):
        yield name, (draw(2, 6, 3), draw(3)), {}
        yield name, (draw(2, 2, 3), draw(3)), {}
