# expect: ASC101 safe scope=fill
# NumPy and torch in one file: a size that is called is a tensor's.
import numpy as np
import torch


def fill(rewards, values, masks, returns, gamma, lam):
    gae = 0
    for step in reversed(range(rewards.size(0))):
        delta = rewards[step] + gamma * values[step + 1] * masks[step + 1] - values[step]
        gae = delta + gamma * lam * masks[step + 1] * gae
        returns[step] = gae + values[step]


def cases(rng):
    draw = lambda *s: torch.tensor(np.asarray(rng.random(s)), dtype=torch.float32)
    for n in (1, 6):
        given = draw(n, 3, 1), draw(n + 1, 3, 1), draw(n + 1, 3, 1)
        yield "fill", (*given, torch.zeros(n + 1, 3, 1), 0.9, 0.8), {}
