# expect: ASC109 safe scope=f
import math

import torch


def f(q, k, v, need: bool = False):
    w = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), -1)
    out = w @ v
    if need:
        return out, w
    return out


def cases(rng):
    def draw(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32).requires_grad_()

    for length in (1, 5):
        operands = draw(2, length, 4), draw(2, 7, 4), draw(2, 7, 4)
        yield "f", operands, {}
        yield "f", (*operands, True), {}
