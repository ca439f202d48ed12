# expect: SEP202 safe scope=Model.forward
import torch

features = 24
rank = 2


class Model(torch.nn.Module):
    def __init__(self, width, rank):
        super().__init__()
        self.layer = torch.nn.Linear(width, width, bias=False)
        self.down = torch.nn.Parameter(torch.randn(rank, width))
        self.up = torch.nn.Parameter(torch.randn(width, rank))

    def forward(self, x):
        return x @ (self.layer.weight + self.up @ self.down).T


def get_inputs():
    return [torch.randn(4, features)]


def get_init_inputs():
    return [features, rank]


def cases(rng):
    for rows in (4, 1, 30):
        yield "Model(24, 2)", (torch.randn(rows, 24, requires_grad=True),), {}
