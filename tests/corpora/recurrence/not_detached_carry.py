# refuse: the carry enters each step without its gradient
import torch


def target_network_values(rewards, values, gamma, lam):
    """Lambda returns in which later returns are treated as constants."""
    ret = values[-1]
    out = []
    for t in range(rewards.shape[0] - 1, -1, -1):
        ret = rewards[t] + gamma * ((1 - lam) * values[t + 1] + lam * ret.detach())
        out.append(ret)
    return torch.stack(out[::-1])


def cases(rng):
    rewards = torch.tensor(rng.standard_normal((12, 2)), dtype=torch.float32, requires_grad=True)
    values = torch.tensor(rng.standard_normal((13, 2)), dtype=torch.float32, requires_grad=True)
    yield "target_network_values", (rewards, values, 0.99, 0.9), {}
