# refuse: RED501 reading the attribute counts, and gives another matrix each time
"""Objects that answer to any name, each time with something else."""

import torch


class W:
    def __init__(self, m):
        self.m = m
        self.count = 0

    def __getattr__(self, name):
        object.__setattr__(self, "count", self.count + 1)
        return self.m * self.count

    def f(self, x: torch.Tensor):
        t = torch.zeros(3, 3)
        for i in range(3):
            t = t + self.w @ x
        return t


def cases(rng):
    yield "W(torch.rand(3, 3)).f", (torch.rand(3, 3),), {}
