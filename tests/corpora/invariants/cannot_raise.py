# expect: RED501 safe scope=decayed

import torch


def decayed(steps: torch.Tensor, rates: torch.Tensor):
    h = torch.zeros(rates.shape)
    for t in range(steps.shape[0]):
        h = torch.cos(h) * torch.exp(-rates) + steps[t]
    return h


def cases(rng):
    r = torch.from_numpy(rng.uniform(size=3)).float().requires_grad_()
    for n in (4, 1, 0):
        x = torch.from_numpy(rng.normal(size=(n, 3))).float().requires_grad_()
        yield "decayed", (x, r), {}
