# expect: ASC101 safe scope=chunks
# expect: ASC101 safe scope=chunks_of_the_size
# expect: ASC101 safe scope=of_two
import torch
from torch import Tensor


def chunks(x: Tensor, a: Tensor):
    batch, steps, width = x.shape
    h = torch.zeros(batch, width)
    out = []
    for xt in x.chunk(steps, dim=1):
        h = a * h + xt.squeeze(1)
        out.append(h)
    return torch.stack(out, 1)


def chunks_of_the_size(x: Tensor, a: Tensor):
    h = torch.zeros_like(x[:, 0])
    out = []
    for xt in torch.chunk(x, x.size(1), 1):
        h = a * h + xt[:, 0]
        out.append(h)
    return torch.stack(out, 1)


def of_two(x: Tensor, a: Tensor):
    batch, steps, width = x.shape
    h = torch.zeros(batch, width)
    out = []
    for xt, at in zip(x.chunk(steps, 1), a.chunk(a.shape[1], 1)):
        h = at.squeeze(1) * h + xt.squeeze(1)
        out.append(h)
    return torch.stack(out, 1)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.random(s), dtype=torch.float32, requires_grad=True)
    for steps in (1, 2, 7):
        for name in ("chunks", "chunks_of_the_size"):
            yield name, (draw(2, steps, 3), draw(3)), {}
        yield "of_two", (draw(2, steps, 3), draw(2, steps, 3)), {}
    yield "of_two", (draw(2, 5, 3), draw(2, 7, 3)), {}
