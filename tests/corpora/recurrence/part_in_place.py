# expect: ASC101 unsafe scope=Net.forward
import torch
from torch import nn


class Scale(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.w = nn.Parameter(torch.ones(d))

    def forward(self, x):
        return self.w * x / 3


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.n = Scale(3)

    def forward(self, x: torch.Tensor):
        h = torch.zeros(3)
        out = []
        for t in range(x.shape[0]):
            h = 0.5 * h + self.n(x[t])
            out.append(h)
        return torch.stack(out)


def cases(rng):
    for n in (1, 5):
        x = torch.tensor(rng.standard_normal((n, 3))).float().requires_grad_()
        yield "Net()", (x,), {}
