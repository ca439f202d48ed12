# refuse: the step appends to a list of its surroundings
import torch
from torch import Tensor


def step_list(x: Tensor, a: float):
    seen = []

    def step(h, v):
        h = a * h + v
        seen.append(h)
        return h

    h = torch.zeros_like(x[0])
    for v in x:
        h = step(h, v)
    return h, len(seen)


def cases(rng):
    def R(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32)

    yield "step_list", (R(7, 3), 0.5), {}
