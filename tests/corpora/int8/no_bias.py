# expect: RED508 unsafe scope=Head.score
import torch
from torch import nn


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(2048, 2048, bias=False, dtype=torch.bfloat16)

    @torch.inference_mode()
    def score(self, x):
        y = x * 2
        return self.out(y.bfloat16()).float().argmax(-1)


def cases(rng):
    yield "Head().score", (torch.zeros(1, 2048),), {}
