# refuse: the module keeps its states in a list
import torch
import torch.nn as nn


class Memory(nn.Module):
    def forward(self, x: torch.Tensor, a: float):
        n = x.shape[0]
        self.states = [None] * n
        h = torch.zeros_like(x[0])
        for t in range(n):
            h = a * h + x[t]
            self.states[t] = h
        return h

    def run(self, x: torch.Tensor, a: float):
        last = self.forward(x, a)
        last += 1
        return self.states


def cases(rng):
    yield "Memory().run", (torch.rand(4, 3), 0.5), {}
    yield "Memory().run", (torch.rand(1, 2), 0.9), {}
