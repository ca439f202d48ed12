# expect: ASC101 safe scope=returns
import torch


def returns(rewards: torch.Tensor, gamma: float):
    out = torch.zeros_like(rewards)
    last = 0
    for t in list(range(rewards.shape[0]))[::-1]:
        out[t] = last = rewards[t] + gamma * last
    return out


def cases(rng):
    for shape in ((6,), (4, 3), (1, 2)):
        yield "returns", (torch.randn(shape), 0.9), {}
