# expect: ASC101 safe scope=with_the_start
# expect: ASC101 safe scope=without_the_start
# expect: ASC101 safe scope=by_its_place
# expect: ASC101 advice scope=last_only
# expect: ASC101 safe scope=Filter.forward
# expect: ASC101 safe scope=walked
import numpy as np
import torch
from torch import Tensor


def with_the_start(x: Tensor, a: Tensor):
    steps, width = x.shape
    hs = [torch.zeros(width)]
    for t in range(steps):
        hs.append(a * hs[-1] + x[t])
    return torch.stack(hs)


def without_the_start(x: Tensor, a: Tensor):
    steps, width = x.shape
    hs = [torch.zeros(width)]
    for t in range(steps):
        hs.append(a * hs[-1] + x[t])
    return torch.stack(hs[1:])


def by_its_place(x: Tensor, a: Tensor):
    steps, width = x.shape
    hs = [torch.zeros(width)]
    for t in range(steps):
        hs.append(a * hs[t] + x[t])
    return torch.stack(hs[1:])


def last_only(x: Tensor, a: Tensor):
    steps, width = x.shape
    hs = [torch.zeros(width)]
    for t in range(steps):
        hs.append(a * hs[-1] + x[t])
    return hs[-1]


class Filter(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.a = torch.nn.Parameter(torch.rand(width))

    def forward(self, x):
        hs = [torch.zeros_like(x[0])]
        for t in range(x.shape[0]):
            hs.append(self.a * hs[-1] + x[t])
        return torch.stack(hs[1:])


def walked(x: np.ndarray, a: float):
    hs = [0.0]
    for v in x:
        hs.append(a * hs[-1] + v)
    return np.array(hs)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.random(s), dtype=torch.float32, requires_grad=True)
    for steps in (1, 2, 7):
        for name in ("with_the_start", "without_the_start", "by_its_place", "last_only"):
            yield name, (draw(steps, 3), draw(3)), {}
            yield name, (draw(steps, 3), draw(1)), {}
        yield "Filter(3)", (draw(steps, 3),), {}
        yield "walked", (rng.random(steps), 0.5), {}
