# expect: ASC101 safe scope=returns
import torch


def returns(rewards: torch.Tensor, cfg: dict):
    R = torch.zeros_like(rewards[0])
    out = torch.zeros_like(rewards)
    for t in reversed(range(rewards.shape[0])):
        R = rewards[t] + cfg["gamma"] * R
        out[t] = R
    return out


def cases(rng):
    for steps in (1, 2, 41):
        rewards = torch.tensor(rng.standard_normal((steps, 4)), dtype=torch.float32)
        yield "returns", (rewards, {"gamma": 0.9}), {}
