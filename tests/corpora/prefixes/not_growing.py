# refuse: RED504 the window has the same length at every step

import torch


def roll(model, window, steps):
    found = []
    for _ in range(steps):
        nxt = model(window)[:, -1:]
        window = torch.cat([window[:, 1:], nxt], dim=1)
        found.append(nxt)
    return torch.cat(found, dim=1)


def cases(rng):
    yield "lambda x, n: roll(torch.sin, x, n)", (torch.ones(1, 4), 3), {}
