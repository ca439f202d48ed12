# expect: ASC106 safe scope=weighted
import torch
from torch import Tensor


def weighted(x: Tensor, w: Tensor):
    out = 0
    for i in range(w.shape[0]):
        out = out + w[i] * x[i]
    return out


def cases(rng):
    for steps in (4, 1):
        weights = torch.tensor(rng.random(steps), requires_grad=True)
        for shape in ((steps,), (steps, 3), (steps, 2, 3)):
            yield "weighted", (torch.tensor(rng.random(shape), requires_grad=True), weights), {}
        matrix = torch.tensor(rng.random((steps, 3)))
        yield "weighted", (torch.tensor(rng.random((steps, 2, 3))), matrix), {}
