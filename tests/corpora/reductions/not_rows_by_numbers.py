# refuse: `b` may hold a number a step where `a` holds rows
import torch


def survival(a, b):
    p = torch.ones(3)
    for t in range(a.shape[0]):
        p = p * (1 - a[t] * b[t])
    return p


def cases(rng):
    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    yield "survival", (G(5, 3), G(5)), {}
    yield "survival", (G(3, 3), G(3)), {}
    yield "survival", (G(5, 3), G(5, 3)), {}
