# expect: ASC107 unsafe scope=Softmax.forward
# torch keeps the result of its softmax, which a layer of the caller changes in place
import torch
from torch import nn


class Softmax(nn.Module):
    def forward(self, x):
        e = torch.exp(x - x.max(dim=-1, keepdim=True).values)
        return e / e.sum(dim=-1, keepdim=True)


class Gate(nn.Module):
    def __init__(self):
        super().__init__()
        self.softmax = Softmax()
        self.drop = nn.Dropout(0.3, True)

    def forward(self, x):
        return self.drop(self.softmax(x))


def cases(rng):
    x = torch.tensor(rng.standard_normal((2, 5))).float().requires_grad_()
    yield "Gate()", (x,), {}
