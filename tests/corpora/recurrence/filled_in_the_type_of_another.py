# expect: ASC101 safe scope=from_the_end
# expect: ASC101 safe scope=last_by_number
# expect: ASC101 safe scope=on_the_device
"""The array that is filled and read has the dtype of another array, which is not known."""

import torch


def from_the_end(rewards, gamma: float):
    batch, steps = rewards.shape
    returns = torch.zeros(batch, steps, dtype=rewards.dtype)
    returns[:, -1] = rewards[:, -1]
    for t in range(steps - 2, -1, -1):
        returns[:, t] = rewards[:, t] + gamma * returns[:, t + 1]
    return returns


def last_by_number(rewards, gamma: float):
    batch, steps = rewards.shape
    returns = torch.zeros(batch, steps, dtype=rewards.dtype)
    returns[:, steps - 1] = rewards[:, steps - 1]
    for t in reversed(range(steps - 1)):
        returns[:, t] = rewards[:, t] + gamma * returns[:, t + 1]
    return returns


def on_the_device(x, a: float):
    batch, steps, width = x.shape
    h = torch.empty(batch, steps, width, dtype=x.dtype, device=x.device)
    h[:, 0] = x[:, 0]
    for t in range(1, steps):
        h[:, t] = a * h[:, t - 1] + (1 - a) * x[:, t]
    return h


def cases(rng):
    for n in (1, 2, 6):
        for dtype in (torch.float32, torch.float64):
            x = torch.tensor(rng.standard_normal((2, n)), dtype=dtype)
            yield "from_the_end", (x, 0.9), {}
            yield "last_by_number", (x, 0.9), {}
            y = torch.tensor(rng.standard_normal((2, n, 3)), dtype=dtype)
            yield "on_the_device", (y, 0.9), {}
