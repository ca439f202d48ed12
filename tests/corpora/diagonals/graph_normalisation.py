# expect: SPA402 safe scope=of_tensors
# expect: SPA402 safe scope=of_arrays
# expect: SPA402 safe scope=Layer.forward
import numpy as np
import torch
from torch import nn


def of_tensors(adj):
    adj = adj + torch.eye(adj.size(0))
    degrees = adj.sum(1)
    d = torch.diag(degrees.pow(-0.5))
    return torch.mm(torch.mm(d, adj), d)


def of_arrays(a):
    looped = a + np.eye(a.shape[0])
    d = np.diag(np.sum(looped, axis=1) ** -0.5)
    return d @ looped @ d


class Layer(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.linear = nn.Linear(inputs, outputs)

    def forward(self, x, adj):
        a = torch.eye(adj.shape[0], device=adj.device) + adj
        d = torch.diag(a.sum(dim=1) ** -0.5)
        a = d @ a @ d
        return torch.relu(a @ self.linear(x))


def cases(rng):
    for n in (5, 1):
        yield "of_tensors", (torch.rand(n, n, requires_grad=True),), {}
        yield "of_arrays", (rng.random((n, n)),), {}
        yield "Layer(3, 2)", (torch.rand(n, 3, requires_grad=True), torch.rand(n, n)), {}
