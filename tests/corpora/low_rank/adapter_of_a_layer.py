# expect: SEP202 safe scope=Adapted.forward
# expect: SEP202 safe scope=Plain.forward
# expect: SEP202 advice scope=Several.forward
# may: ASC113 unsafe scope=Adapted.forward
# may: ASC113 unsafe scope=Plain.forward
import torch
import torch.nn as nn
import torch.nn.functional as F


class Adapted(nn.Module):
    def __init__(self):
        super().__init__()
        self.base = nn.Linear(40, 24)
        self.A = nn.Parameter(torch.randn(3, 40))
        self.B = nn.Parameter(torch.randn(24, 3))

    def forward(self, x):
        x = x.reshape(4, 40)
        return F.linear(x, self.base.weight + self.B @ self.A, self.base.bias)


class Plain(nn.Module):
    def __init__(self):
        super().__init__()
        self.base = nn.Linear(40, 24, bias=False)
        self.A = nn.Parameter(torch.randn(3, 40))
        self.B = nn.Parameter(torch.randn(24, 3))

    def forward(self, x):
        x = x.reshape(4, 40)
        update = self.B @ self.A
        return F.linear(x, self.base.weight + update, self.base.bias)


class Several(nn.Module):
    def __init__(self, columns, rows, rank, tasks):
        super().__init__()
        self.base = nn.Linear(columns, rows)
        self.down = nn.Parameter(torch.randn(tasks, columns, rank))
        self.up = nn.Parameter(torch.randn(tasks, rank, rows))
        self.active = 0

    def forward(self, x):
        update = (self.down[self.active] @ self.up[self.active]).t()
        return F.linear(x, self.base.weight + update, self.base.bias)


def cases(rng):
    yield "Adapted()", (torch.randn(2, 2, 40, requires_grad=True),), {}
    yield "Adapted()", (torch.randn(40, 4).T,), {}
    yield "Plain()", (torch.randn(4, 40),), {}
    yield "Several(5, 3, 2, 2)", (torch.randn(1, 5),), {}
