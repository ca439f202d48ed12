# refuse: the array that is filled is of whole numbers, which cut each state
import torch


def whole(rewards, gamma: float):
    batch, steps = rewards.shape
    returns = torch.zeros(batch, steps, dtype=torch.int64)
    returns[:, -1] = 7
    for t in range(steps - 2, -1, -1):
        returns[:, t] = rewards[:, t] + gamma * returns[:, t + 1]
    return returns


def of_places(rewards, places, gamma: float):
    batch, steps = rewards.shape
    returns = torch.zeros(batch, steps, dtype=places.long().dtype)
    returns[:, -1] = 7
    for t in range(steps - 2, -1, -1):
        returns[:, t] = rewards[:, t] + gamma * returns[:, t + 1]
    return returns


def cases(rng):
    for n in (1, 2, 6):
        x = torch.tensor(3 * rng.standard_normal((2, n)), dtype=torch.float32)
        yield "whole", (x, 0.9), {}
        yield "of_places", (x, torch.tensor([1, 2]), 0.9), {}
