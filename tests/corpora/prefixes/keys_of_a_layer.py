# expect: RED504 advice scope=Decoder.step
# may: ASC109 safe scope=Decoder.step
import torch
from torch import nn


class Decoder(nn.Module):
    def __init__(self, width=4):
        super().__init__()
        self.key = nn.Linear(width, width)
        self.value = nn.Linear(width, width)
        self.cache_k = torch.zeros(1, 0, width)
        self.cache_v = torch.zeros(1, 0, width)

    def step(self, x):
        self.cache_k = torch.cat((self.cache_k, self.key(x)), 1)
        self.cache_v = torch.cat((self.cache_v, self.value(x)), 1)
        return torch.softmax(x @ self.cache_k.mT, dim=-1) @ self.cache_v


def cases(rng):
    yield "Decoder().step", (torch.tensor(rng.standard_normal((1, 1, 4)), dtype=torch.float32),), {}
