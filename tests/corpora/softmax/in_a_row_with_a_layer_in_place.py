# expect: ASC107 unsafe scope=Softmax.forward
# torch keeps the result of its softmax, which the next layer changes in place
import torch
from torch import nn


class Softmax(nn.Module):
    def forward(self, x):
        e = torch.exp(x - x.max(dim=-1, keepdim=True).values)
        return e / e.sum(dim=-1, keepdim=True)


def gate() -> nn.Module:
    return nn.Sequential(Softmax(), nn.ReLU(True))


def cases(rng):
    x = torch.tensor(rng.standard_normal((2, 5))).float().requires_grad_()
    yield "gate()", (x,), {}
