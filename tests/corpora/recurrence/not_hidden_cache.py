# refuse: each state is also stored on the object
import torch
from torch import nn


class Recorder(nn.Module):
    def __init__(self, decay):
        super().__init__()
        self.decay = decay
        self.cache = []

    def forward(self, x):
        h = torch.zeros_like(x[0])
        for x_t in x:
            h = self.decay * h + x_t
            self.cache.append(h.detach())
        return h


def record(x):
    recorder = Recorder(0.9)
    return recorder(x), recorder.cache


def cases(rng):
    yield "record", (torch.tensor(rng.standard_normal((6, 3)), dtype=torch.float32),), {}
