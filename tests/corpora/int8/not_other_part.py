# refuse: RED508 the layer is applied where gradients are wanted
import torch
from torch import nn


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(2048, 2048, dtype=torch.bfloat16)

    def score(self, x):
        with torch.no_grad():
            y = x * 2
        return self.out(y.bfloat16()).float()


def cases(rng):
    yield "Head().score", (torch.zeros(1, 2048),), {}
