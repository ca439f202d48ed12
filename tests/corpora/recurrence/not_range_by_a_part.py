# refuse: the steps stop before a place that is counted from the end
import torch
from torch import Tensor


def run(x: Tensor, a: Tensor, k: int):
    steps, width = x.shape
    h = torch.zeros(width)
    out = [h]
    for t in range(steps)[:-k]:
        h = a * h + x[t]
        out.append(h)
    return torch.stack(out)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.random(s), dtype=torch.float32, requires_grad=True)
    for k in (0, 1, 3, 9):
        yield "run", (draw(7, 3), draw(3), k), {}
