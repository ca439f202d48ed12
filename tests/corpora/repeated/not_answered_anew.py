# refuse: RED502 reading the attribute counts, and gives another matrix each time
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
        return self.w @ x + (self.w @ x).sum()


class Counted:
    def __init__(self):
        self.count = 0
        self.w = torch.ones(3, 3)

    def __getattribute__(self, name):
        if name == "w":
            self.count += 1
            return torch.ones(3, 3) * self.count
        return object.__getattribute__(self, name)

    def f(self, x: torch.Tensor):
        a = self.w @ x
        return a + self.w @ x


def cases(rng):
    yield "W(torch.rand(3, 3)).f", (torch.rand(3, 3),), {}
    yield "Counted().f", (torch.rand(3, 3),), {}
