# expect: ASC101 safe scope=ret_flip
import torch
from torch import Tensor


def ret_flip(rewards: Tensor, gamma: float):
    out = []
    acc = 0
    for r in rewards.flip(0):
        acc = r + gamma * acc
        out.append(acc)
    return torch.stack(out).flip(0)


def cases(rng):
    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    yield "ret_flip", (G(7, 3), 0.9), {}
    yield "ret_flip", (G(7), 0.9), {}
