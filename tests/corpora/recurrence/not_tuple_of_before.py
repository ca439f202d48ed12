# refuse: another name has the tuple as it was before the last step
import torch
from torch import Tensor


def run(x: Tensor, a: Tensor):
    batch, steps, width = x.shape
    h = torch.zeros(batch, width)
    out = ()
    for t in range(steps):
        h = a * h + x[:, t]
        before = out
        out += (h,)
    return torch.stack(out, 1), len(before)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.random(s), dtype=torch.float32, requires_grad=True)
    yield "run", (draw(2, 6, 3), draw(3)), {}
