# expect: ASC101 safe scope=adam_like
import torch
from torch import Tensor


def adam_like(grads: Tensor, b1: float = 0.9, b2: float = 0.999):
    m = torch.zeros_like(grads[0])
    v = torch.zeros_like(grads[0])
    updates = []
    for t, g in enumerate(grads, start=1):
        m = b1 * m + (1 - b1) * g
        v = b2 * v + (1 - b2) * g * g
        updates.append((m / (1 - b1**t)) / ((v / (1 - b2**t)).sqrt() + 1e-8))
    return torch.stack(updates)


def cases(rng):
    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    yield "adam_like", (G(7, 3),), {}
    yield "adam_like", (G(7),), {}
    yield "adam_like", (G(7, 2, 3),), {}
