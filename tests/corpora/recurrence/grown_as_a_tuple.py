# expect: ASC101 safe scope=added_to
# expect: ASC101 safe scope=added
# expect: ASC101 safe scope=unpacked
# expect: ASC101 safe scope=with_the_first
import torch
from torch import Tensor


def added_to(x: Tensor, a: Tensor):
    batch, steps, width = x.shape
    h = torch.zeros(batch, width)
    out = ()
    for t in range(steps):
        h = a * h + x[:, t]
        out += (h,)
    return torch.stack(out, 1)


def added(x: Tensor, a: Tensor):
    batch, steps, width = x.shape
    h, out = torch.zeros(batch, width), tuple()
    for t in range(steps):
        h = a * h + x[:, t]
        out = out + (h,)
    return torch.stack(out, dim=-1), h


def unpacked(x: Tensor, a: Tensor):
    batch, steps, width = x.shape
    h = torch.zeros(batch, width)
    out = ()
    for t in range(steps):
        h = a * h + x[:, t]
        out = (*out, h.unsqueeze(1))
    return torch.cat(out, 1)


def with_the_first(x: Tensor, a: Tensor):
    h = x[:, 0]
    out = (h,)
    for t in range(1, x.size(1)):
        h = a * h + x[:, t]
        out += (h,)
    return torch.stack(out, 1)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.random(s), dtype=torch.float32, requires_grad=True)
    for name in ("added_to", "added", "unpacked", "with_the_first"):
        for steps in (1, 2, 7):
            yield name, (draw(2, steps, 3), draw(3)), {}
