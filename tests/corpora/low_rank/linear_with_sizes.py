# expect: SEP202 safe scope=Layer.forward
# may: ASC113 unsafe scope=Layer.forward

import torch
import torch.nn as nn
import torch.nn.functional as F


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.randn(24, 40))
        self.b = nn.Parameter(torch.randn(24))
        self.A = nn.Parameter(torch.randn(3, 40))
        self.B = nn.Parameter(torch.randn(24, 3))

    def forward(self, x):
        x = x.reshape(4, 40)
        update = torch.matmul(self.B, self.A)
        return F.linear(x, self.w + 0.5 * update, self.b)


def cases(rng):
    import torch

    yield "Layer()", (torch.randn(2, 2, 40, requires_grad=True),), {}
    yield "Layer()", (torch.randn(40, 4).T,), {}
