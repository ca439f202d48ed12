# refuse: ASC107 the scores are changed in between, under a name that a function gave back
"""Scores with a second name."""

import torch


def given_back(z):
    return z


def through_a_function(m: torch.Tensor):
    v = given_back(m)
    z = m.max(-1, keepdim=True).values
    e = torch.exp(m - z)
    for k in range(1):
        v[k] = 9
    return e / e.sum(-1, keepdim=True)


def cases(rng):
    yield "through_a_function", (torch.rand(3, 3),), {}
    yield "through_a_function", (torch.rand(1, 2),), {}
