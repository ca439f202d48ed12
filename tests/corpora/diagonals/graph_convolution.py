# expect: SPA402 safe scope=GraphConvolution.forward
import torch
from torch import nn


class GraphConvolution(nn.Module):
    def __init__(self, features: int, outputs: int):
        super().__init__()
        self.linear = nn.Linear(features, outputs, bias=False)

    def forward(self, x, adjacency):
        nodes, _ = adjacency.shape
        connected = adjacency + torch.eye(nodes)
        degree = connected.sum(dim=1)
        scale = torch.diag(degree.pow(-0.5))
        spread = scale @ connected @ scale
        return spread @ self.linear(x)


def cases(rng):
    a = (torch.rand(5, 5) > 0.5).float()
    yield "GraphConvolution(3, 2)", (torch.randn(5, 3, requires_grad=True), a), {}
    yield "GraphConvolution(2, 2)", (torch.randn(1, 2), torch.ones(1, 1)), {}
