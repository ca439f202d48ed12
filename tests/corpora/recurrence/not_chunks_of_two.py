# refuse: a chunk has two rows, or the last one
import torch
from torch import Tensor


def run(x: Tensor, a: Tensor):
    batch, steps, width = x.shape
    h = torch.zeros(batch, width)
    out = []
    for xt in x.chunk((steps + 1) // 2, dim=1):
        h = a * h + xt.sum(1)
        out.append(h)
    return torch.stack(out, 1)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.random(s), dtype=torch.float32, requires_grad=True)
    for steps in (1, 2, 7):
        yield "run", (draw(2, steps, 3), draw(3)), {}
