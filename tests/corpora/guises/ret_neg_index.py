# expect: ASC101 safe scope=ret_neg_index
import torch
from torch import Tensor


def ret_neg_index(rewards: Tensor, gamma: float):
    out = torch.zeros_like(rewards)
    out[-1] = rewards[-1]
    for i in range(2, len(rewards) + 1):
        out[-i] = rewards[-i] + gamma * out[-i + 1]
    return out


def cases(rng):
    def R(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32)

    yield "ret_neg_index", (R(7, 3), 0.9), {}
    yield "ret_neg_index", (R(7), 0.9), {}
    yield "ret_neg_index", (R(1), 0.9), {}
