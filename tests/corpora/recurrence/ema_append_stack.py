# expect: ASC101 safe scope=ema
"""Smooth sensor channels with an exponential moving average."""

import torch


def ema(x, alpha=0.1):
    """x: (channels, time). Starts from the first sample."""
    state = x[:, 0]
    smoothed = [state]
    for t in range(1, x.shape[1]):
        state = alpha * x[:, t] + (1 - alpha) * state
        smoothed.append(state)
    return torch.stack(smoothed, dim=1)


def cases(rng):
    for channels, time in ((1, 1), (3, 2), (5, 61)):
        x = torch.tensor(rng.standard_normal((channels, time)), dtype=torch.float32)
        yield "ema", (x.requires_grad_(),), {}
        yield "ema", (x.detach(), 0.7), {}
