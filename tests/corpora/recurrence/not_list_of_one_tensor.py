# refuse: every element of the list is the same tensor, changed in place
import torch


def trajectory(decay, x):
    h = torch.zeros_like(x[0])
    states = []
    for t in range(x.shape[0]):
        h.mul_(decay).add_(x[t])
        states.append(h)
    return torch.stack(states)


def cases(rng):
    yield "trajectory", (0.9, torch.tensor(rng.standard_normal((12, 3)), dtype=torch.float32)), {}
