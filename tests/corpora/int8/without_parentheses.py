# expect: RED508 unsafe scope=Head.score
import torch
import torch.nn as nn


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(2048, 2048, dtype=torch.bfloat16)

    @torch.no_grad
    def score(self, x):
        return self.out(x.bfloat16()).float()


def cases(rng):
    yield "Head().score", (torch.zeros(1, 2048),), {}
