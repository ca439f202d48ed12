# expect: ASC101 safe scope=every_second
# expect: ASC101 safe scope=backwards
# expect: ASC101 advice scope=every_third_backwards
# expect: ASC101 safe scope=from_the_second
import torch
from torch import Tensor


def every_second(x: Tensor, a: Tensor):
    steps, width = x.shape
    h = torch.zeros(width)
    out = []
    for t in range(steps)[::2]:
        h = a * h + x[t]
        out.append(h)
    return torch.stack(out)


def backwards(x: Tensor, a: Tensor):
    steps, width = x.shape
    h = torch.zeros(width)
    out = []
    for t in range(steps)[::-1]:
        h = a * h + x[t]
        out.append(h)
    return torch.stack(out)


def every_third_backwards(x: Tensor, a: Tensor):
    steps, width = x.shape
    h = torch.zeros(width)
    out = []
    for t in range(steps)[::-3]:
        h = a * h + x[t]
        out.append(h)
    return torch.stack(out)


def from_the_second(x: Tensor, a: Tensor):
    steps, width = x.shape
    h = x[0]
    out = [h]
    for t in range(steps)[1:]:
        h = a * h + x[t]
        out.append(h)
    return torch.stack(out)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.random(s), dtype=torch.float32, requires_grad=True)
    for steps in (1, 2, 3, 6, 7):
        for name in ("every_second", "backwards", "every_third_backwards", "from_the_second"):
            yield name, (draw(steps, 3), draw(3)), {}
