# refuse: after the loop, the list is that of the last step
import torch
from torch import Tensor


def run(x: Tensor, a: Tensor):
    batch, steps, width = x.shape
    h = torch.zeros(batch, width)
    pair = [h, h]
    for t in range(steps):
        h = a * h + x[:, t]
        pair = [h, x[:, t]]
    return pair[0], pair[1], h


def cases(rng):
    draw = lambda *s: torch.tensor(rng.random(s), dtype=torch.float32, requires_grad=True)
    yield "run", (draw(2, 6, 3), draw(3)), {}
