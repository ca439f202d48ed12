# expect: ASC101 safe scope=td_lambda
import torch
from torch import Tensor


def td_lambda(rewards: Tensor, values: Tensor, gamma: float, lam: float):
    T = rewards.shape[0]
    ret = torch.empty_like(rewards)
    nxt = values[-1]
    for t in range(T - 1, -1, -1):
        nxt = rewards[t] + gamma * ((1 - lam) * values[t + 1] + lam * nxt)
        ret[t] = nxt
    return ret


def cases(rng):
    def R(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32)

    yield "td_lambda", (R(7, 3), R(8, 3), 0.9, 0.8), {}
    yield "td_lambda", (R(7), R(8), 0.9, 0.8), {}
