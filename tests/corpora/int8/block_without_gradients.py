# expect: RED508 unsafe scope=Head.score
import torch
from torch import nn


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(2048, 2048, dtype=torch.bfloat16)

    def score(self, x):
        with torch.no_grad():
            y = self.out(x.bfloat16()).float()
        return y


def cases(rng):
    yield "Head().score", (torch.zeros(1, 2048),), {}
