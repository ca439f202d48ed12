# refuse: the list itself is kept
import torch
from torch import Tensor


def list_alias(x: Tensor, a: float):
    state = [torch.zeros_like(x[0])]
    hist = []
    for t in range(len(x)):
        state[0] = a * state[0] + x[t]
        hist.append(state)
    return [h[0] for h in hist]


def cases(rng):
    def R(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32)

    yield "list_alias", (R(7, 3), 0.5), {}
