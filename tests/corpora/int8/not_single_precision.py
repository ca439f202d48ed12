# refuse: RED508 on a CPU it does not pay for float32
import torch
from torch import nn


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(2048, 2048)

    @torch.inference_mode()
    def score(self, x):
        return self.out(x)


def cases(rng):
    yield "Head().score", (torch.zeros(1, 2048),), {}
