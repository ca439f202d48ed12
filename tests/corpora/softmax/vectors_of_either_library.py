# expect: ASC107 safe scope=probabilities
# expect: ASC107 safe scope=tempered
# expect: ASC107 safe scope=handed_over
import numpy as np
import torch


def probabilities(scores, t):
    scaled = scores / t
    return np.exp(scaled - scaled.max()) / np.exp(scaled - scaled.max()).sum()


def tempered(x: torch.Tensor, t):
    x = x / t
    e = torch.exp(x - x.max())
    return e / e.sum()


def handed_over(s):
    return torch.from_numpy(np.exp(s - s.max()) / np.exp(s - s.max()).sum())


def cases(rng):
    for size in (1, 2, 7):
        yield "probabilities", (rng.normal(size=size) * 9, 0.5), {}
        yield "handed_over", (rng.normal(size=size) * 9,), {}
        yield "tempered", (torch.tensor(rng.normal(size=size) * 9, requires_grad=True), 2.0), {}
