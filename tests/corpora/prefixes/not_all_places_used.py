# refuse: RED504 all places of the result are used

import torch


def smooth(model, x, steps):
    for _ in range(steps):
        y = model(x)
        x = torch.cat([x, y.mean(dim=1, keepdim=True)], dim=1)
    return x


def cases(rng):
    yield "lambda x, n: smooth(torch.tanh, x, n)", (torch.ones(2, 3), 2), {}
