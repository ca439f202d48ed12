# expect: RED508 unsafe scope=Head.score
import torch
from torch import nn

WIDTH = 1024


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(2 * WIDTH, out_features=2 * WIDTH, dtype=torch.bfloat16)

    @torch.inference_mode()
    def score(self, x):
        return self.out(x.bfloat16()).float()


def cases(rng):
    yield "Head().score", (torch.zeros(1, 2048),), {}
