# refuse: RED508 the layer's hook would not run
import torch
from torch import nn


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(2048, 2048, dtype=torch.bfloat16)
        self.out.register_forward_hook(lambda *_: None)

    @torch.inference_mode()
    def score(self, x):
        return self.out(x.bfloat16()).float()


def cases(rng):
    yield "Head().score", (torch.zeros(1, 2048),), {}
