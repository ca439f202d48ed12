# refuse: RED508 the layer may be another one
import torch
from torch import nn


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(2048, 2048, dtype=torch.bfloat16)

    def reset(self):
        self.out = nn.Identity()

    @torch.inference_mode()
    def score(self, x):
        return self.out(x.bfloat16()).float()


def cases(rng):
    yield "Head().score", (torch.zeros(1, 2048),), {}
