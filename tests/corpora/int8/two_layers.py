# expect: RED508 unsafe scope=Head.score
import torch
from torch import nn


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(2048, 2048, dtype=torch.bfloat16)
        self.up = nn.Linear(1024, 4096, bias=False, dtype=torch.bfloat16)

    @torch.inference_mode()
    def score(self, x):
        return torch.relu(self.up(torch.tanh(self.out(x.bfloat16()))[:, :1024])).float()


def cases(rng):
    yield "Head().score", (torch.zeros(1, 2048),), {}
